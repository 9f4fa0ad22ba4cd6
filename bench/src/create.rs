//! `bench create`: durable creates with fresh keys, beside the same rows written by bare diesel without HTTP.

use std::{process::Command, time::Duration};

use shared_testing::ServiceProcess;

use crate::{
    Load, Outcome, binaries,
    load::{self, Measured},
    process,
    read::{document, unlimited},
    report,
    rows::Written,
};

/// Runs both sides in turns and prints what came of them.
pub async fn run(load: &Load) -> Outcome {
    let program = binaries::of("cloud-svc")?;
    let limits = unlimited(&cloud_svc::service());
    let environment = [("RATE_LIMITS", limits.as_str()), ("RUST_LOG", "warn")];
    let service = ServiceProcess::on(&program, cloud_svc::service(), load.servers(), &environment).await;
    // The peer's database is one that the service has migrated, recorded a workspace in, and left.
    let mut other = ServiceProcess::on(&program, cloud_svc::service(), load.servers(), &environment).await;
    other.caller("ada").get("/v1/workspaces").await.status(200);
    other.kill();

    let idle = process::resident_mib(service.pid())?;
    let body = document(512).to_string();
    let ada = service.caller("ada");
    let head = format!(
        "POST /v1/documents HTTP/1.1\r\nhost: {}\r\naccept: application/json\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nidempotency-key: ",
        service.address(),
        ada.token(),
        body.len()
    );
    println!(
        "create: one document of {} bytes a request, {} connections, {}",
        body.len(),
        load.connections,
        load.ground()
    );
    send(load, &service, &head, &body, 0, Duration::from_secs(1)).await?;
    let mut ours = Measured::nothing()?;
    let mut bare = Written::default();
    for round in 1..=load.rounds {
        ours.add(&send(load, &service, &head, &body, round, load.round()).await?)?;
        bare.add(&rows(load, other.database_url())?);
    }
    report::head();
    report::line("POST /v1/documents", &ours);
    println!(
        "{:<34} {:>12.0} {:>10} {:>10} {:>14.1}",
        "bare diesel, the same rows",
        bare.rate(),
        "",
        "",
        bare.processor_micros()
    );
    println!("bare diesel: {}", bare.manner);
    println!(
        "rate: {:.2} of bare diesel's; CPU per request: {:.2} times",
        ours.rate() / bare.rate(),
        ours.processor_micros() / bare.processor_micros()
    );
    report::memory(idle, process::resident_mib(service.pid())?);
    if load.profile_seconds > 0 {
        println!("under load for {} s: process {}", load.profile_seconds, service.pid());
        send(load, &service, &head, &body, u32::MAX, Duration::from_secs(load.profile_seconds)).await?;
    }
    Ok(())
}

async fn send(
    load: &Load,
    service: &ServiceProcess,
    head: &str,
    body: &str,
    round: u32,
    length: Duration,
) -> Outcome<Measured> {
    let (head, tail) = (head.to_owned(), format!("\r\n\r\n{body}"));
    let mut number = 0_u64;
    load::run(service.address(), service.pid(), load.connections, length, move |next| {
        number += 1;
        next.extend_from_slice(head.as_bytes());
        next.extend_from_slice(format!("round-{round}-{number}").as_bytes());
        next.extend_from_slice(tail.as_bytes());
    })
    .await
}

/// The peer in a process of its own, so that nothing of this one is counted.
fn rows(load: &Load, database: &str) -> Outcome<Written> {
    let output = Command::new(std::env::current_exe()?)
        .args(["rows", database, "--connections", &load.connections.min(16).to_string()])
        .args(["--seconds", &load.seconds.to_string()])
        .output()?;
    if !output.status.success() {
        return Err(format!("bare diesel: {}", String::from_utf8_lossy(&output.stdout)).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
