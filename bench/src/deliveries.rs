//! `bench deliveries`: webhook events, stored before sending and after the answer, compared with the same POSTs in a
//! loop.

use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;
use shared_testing::{Caller, Text as _};
use tokio::time::{Instant, sleep};

use crate::{
    ceiling::Ceiling,
    changes,
    load::{self, Load, Measured, Target},
    process,
    receiver::Receiver,
    report,
    service::UnderLoad,
};

#[derive(Args, Clone)]
pub struct Deliveries {
    #[command(flatten)]
    pub load: Load,
    /// Changes of each round; every endpoint receives all of them
    #[arg(long, default_value_t = 5_000)]
    pub changes: u64,
    /// Endpoints, at most ten; may be repeated
    #[arg(long, default_values_t = [1, 10])]
    pub endpoints: Vec<u64>,
}

// The receiver always answers 200, so no delivery waits for a retry: this long without one means a defect.
const SILENCE: Duration = Duration::from_secs(30);

pub async fn run(deliveries: &Deliveries) -> Result<()> {
    let mut ratios = Vec::new();
    for &endpoints in &deliveries.endpoints {
        ratios.push(with_endpoints(deliveries, endpoints).await?);
    }
    report::ratios(&ratios);
    Ok(())
}

async fn with_endpoints(deliveries: &Deliveries, endpoints: u64) -> Result<(String, f64)> {
    let load = &deliveries.load;
    // Loopback addresses are refused as endpoints unless allowed.
    let environment = [("OUTBOUND_ALLOW", "127.0.0.1")];
    let service = UnderLoad::with(&environment, "cloud-svc", cloud_svc::service(), load.servers(), 1).await?;
    let cloud = service.first();
    let ada = cloud.caller("ada");
    ada.post("/v1/documents").fresh_key().json(json!({"name": "Sent"})).await.status(200);
    let receiver = Receiver::start()?;
    for number in 0..endpoints {
        name(&ada, &format!("http://{}/{number}", receiver.address)).await?;
    }
    let idle = process::resident_mib(cloud.pid())?;
    println!(
        "deliveries: {} changes per round, {endpoints} endpoints; the peer has {} connections; {}",
        deliveries.changes,
        load.connections,
        load.ground()
    );
    let mut conn = changes::connect(cloud.database_url())?;
    let (mut ours, mut bare) = (Measured::nothing()?, Measured::nothing()?);
    // The first round warms up and provides the request that the peer repeats.
    for round in 0..=load.rounds {
        // Read before the insert: the dispatcher reads the changes as soon as they are committed.
        let before = process::processor_time(cloud.pid())?;
        let expected = receiver.count() + deliveries.changes * endpoints;
        changes::insert(&mut conn, deliveries.changes)?;
        wait_for(&receiver, expected).await?;
        let (first, last) = receiver.take_span()?;
        if round > 0 {
            ours.answers += deliveries.changes * endpoints;
            ours.elapsed += last - first;
            // The service records the last batch after the endpoint answered, which belongs to the cost.
            settled(&ada).await?;
            ours.processor += process::processor_time(cloud.pid())?.saturating_sub(before);
            let (request, target) = (receiver.last()?, Target { address: receiver.address, pid: std::process::id() });
            let next = move |next: &mut Vec<u8>| next.extend_from_slice(&request);
            bare.add(&load::run(&[target], load.connections, load.round(), next).await?)?;
            receiver.take_span()?;
        }
    }
    println!("{:<34} {:>12} {:>14}", "", "requests/s", "CPU µs/request");
    for (name, measured) in [("deliveries", &ours), ("the same POSTs in a loop", &bare)] {
        println!("{name:<34} {:>12.0} {:>14.1}", measured.rate(), measured.processor_micros());
    }
    // The peer sends to the same receiver: this much it can take.
    Ceiling::of(&bare).check(ours.rate())?;
    report::memory(idle, process::resident_mib(cloud.pid())?);
    Ok(report::ratio(&format!("deliveries_{endpoints}_vs_posts"), ours.rate(), bare.rate()))
}

/// Registers an endpoint and waits until it answered its challenge.
async fn name(ada: &Caller, url: &str) -> Result<()> {
    let body = json!({"url": url, "events": ["file.updated"]});
    let created = ada.post("/v1/webhooks").fresh_key().json(body).await.status(200);
    let path = format!("/v1/webhooks/{}", created["webhook"]["id"].text());
    let begun = Instant::now();
    while ada.get(&*path).await.status(200)["webhook"]["state"] != "active" {
        if begun.elapsed() > SILENCE {
            bail!("{url} did not become active");
        }
        sleep(Duration::from_millis(10)).await;
    }
    Ok(())
}

async fn wait_for(receiver: &Receiver, expected: u64) -> Result<()> {
    let (mut count, mut since) = (receiver.count(), Instant::now());
    while receiver.count() < expected {
        if receiver.count() != count {
            (count, since) = (receiver.count(), Instant::now());
        } else if since.elapsed() > SILENCE {
            bail!("deliveries stopped: {count} of {expected}");
        }
        sleep(Duration::from_millis(2)).await;
    }
    Ok(())
}

/// Waits until no delivery is pending.
async fn settled(ada: &Caller) -> Result<()> {
    let listed = ada.get("/v1/webhooks").await.status(200);
    let begun = Instant::now();
    for webhook in listed["webhooks"].as_array().into_iter().flatten() {
        let path = format!("/v1/webhooks/{}/deliveries?status=pending", webhook["id"].text());
        while ada.get(&*path).await.status(200)["items"] != json!([]) {
            if begun.elapsed() > SILENCE {
                bail!("deliveries are still pending");
            }
            sleep(Duration::from_millis(2)).await;
        }
    }
    Ok(())
}
