//! `bench read`: an authenticated, rate-limited read from the database, compared with the bare framework.

use std::time::Duration;

use anyhow::Result;
use shared_testing::Text as _;

use crate::{
    ceiling,
    document::document,
    load::{self, Load, Measured, Target},
    peer::Prepared,
    peer_process::PeerProcess,
    process, report,
    service::UnderLoad,
};

pub async fn run(load: &Load) -> Result<()> {
    let service = UnderLoad::start("cloud-svc", cloud_svc::service(), load.servers(), 1).await?;
    let service = service.first();
    let idle = process::resident_mib(service.pid())?;
    let ada = service.caller("ada");
    let created = ada.post("/v1/documents").fresh_key().json(document(2 * 1024)).await.status(200);
    let path = format!("/v1/documents/{}", created["file"]["id"].text());
    let answer = ada.get(&path).await.status(200);
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: {}\r\naccept: application/json\r\nauthorization: Bearer {}\r\n\r\n",
        service.address(),
        ada.token()
    );
    // actix writes these itself; the peer would send them twice.
    let own = ["content-length", "date", "connection"];
    let headers = answer.headers().iter().filter(|(name, _)| !own.contains(&name.as_str())).cloned().collect();
    let prepared = tempfile::NamedTempFile::new()?;
    serde_json::to_writer(&prepared, &Prepared { headers, body: answer.body() })?;
    let peer = PeerProcess::start("peer", prepared.path())?;

    println!(
        "read: one document, {} bytes of answer, {} connections, {}",
        answer.bytes().len(),
        load.connections,
        load.ground()
    );
    let sides =
        [Target { address: service.address(), pid: service.pid() }, Target { address: peer.address, pid: peer.pid() }];
    let mut totals = [Measured::nothing()?, Measured::nothing()?];
    for side in sides {
        // Warms up.
        send(load, &request, side, Duration::from_secs(1)).await?;
    }
    for _ in 0..load.rounds {
        for (total, side) in totals.iter_mut().zip(sides) {
            total.add(&send(load, &request, side, load.round()).await?)?;
        }
    }
    let [ours, bare] = &totals;
    report::head();
    report::line("GET /v1/documents/{file_id}", ours);
    report::line("bare actix, the same bytes", bare);
    let ceiling = ceiling::check(load, ours).await?;
    report::memory(idle, process::resident_mib(service.pid())?);
    if load.profile_seconds > 0 {
        println!("under load for {} s: process {}", load.profile_seconds, service.pid());
        send(load, &request, sides[0], Duration::from_secs(load.profile_seconds)).await?;
    }
    let rates = if ceiling.holds_back(bare.rate()) { "read_vs_actix_at_most" } else { "read_vs_actix" };
    report::ratios(&[
        report::ratio(rates, ours.rate(), bare.rate()),
        report::ratio("read_cpu_vs_actix", ours.processor_micros(), bare.processor_micros()),
    ]);
    Ok(())
}

async fn send(load: &Load, request: &str, side: Target, round: Duration) -> Result<Measured> {
    let bytes = request.as_bytes().to_vec();
    load::run(&[side], load.connections, round, move |next| next.extend_from_slice(&bytes)).await
}
