//! `bench create`: durable creates with fresh keys, compared with inserts of the same rows without HTTP. The inserts
//! have four statements and, on PostgreSQL, one.

use std::{process::Command, time::Duration};

use anyhow::{Result, bail};
use clap::Args;

use crate::{
    ceiling,
    document::document,
    load::{self, Load, Measured},
    process, report,
    rows::{Manner, Written},
    service::UnderLoad,
};

#[derive(Args, Clone)]
pub struct Creates {
    #[command(flatten)]
    pub load: Load,
    /// Processes of the service on one database
    #[arg(long, default_value_t = 1)]
    pub processes: usize,
    /// Workspaces that receive the documents in turn; may be repeated. Default: 1, and on PostgreSQL also 100
    #[arg(long)]
    pub workspaces: Vec<i64>,
}

pub async fn run(creates: &Creates) -> Result<()> {
    let is_server = creates.load.postgres.is_some();
    let workspaces = match creates.workspaces.as_slice() {
        [] if is_server => &[1, 100],
        [] => &[1][..],
        some => some,
    };
    let manners: &[Manner] = if is_server { &[Manner::Four, Manner::One] } else { &[Manner::Four] };
    let mut ratios = Vec::new();
    for &workspaces in workspaces {
        ratios.extend(compare(creates, workspaces, manners).await?);
    }
    report::ratios(&ratios);
    Ok(())
}

async fn compare(creates: &Creates, workspaces: i64, manners: &[Manner]) -> Result<Vec<(String, f64)>> {
    let load = &creates.load;
    let service = UnderLoad::start("cloud-svc", cloud_svc::service(), load.servers(), creates.processes).await?;
    // Access grants are recorded at first use; that write must not be measured.
    record(&service, workspaces).await;
    // The peers write to a database that the service migrated, recorded the workspaces in, and left.
    let mut other = UnderLoad::start("cloud-svc", cloud_svc::service(), load.servers(), 1).await?;
    record(&other, workspaces).await;
    other.processes.iter_mut().for_each(shared_testing::ServiceProcess::kill);
    let database = other.first().database_url();

    let idle = process::resident_mib(service.first().pid())?;
    println!(
        "create: one document of {} bytes a request, {workspaces} workspaces, {} connections, {} processes, {}",
        document(512).to_string().len(),
        load.connections,
        creates.processes,
        load.ground()
    );
    // Warms up: connections, prepared statements and caches are not measured.
    send(load, &service, workspaces, Duration::from_secs(1)).await?;
    let mut ours = Measured::nothing()?;
    let mut peers: Vec<_> = manners.iter().map(|manner| (*manner, Written::default())).collect();
    // The sides take turns, so that noise of the machine affects both.
    for _ in 0..load.rounds {
        ours.add(&send(load, &service, workspaces, load.round()).await?)?;
        for (manner, written) in &mut peers {
            written.add(&rows(load, database, *manner, workspaces)?);
        }
    }
    report::head();
    report::line("POST /v1/documents", &ours);
    ceiling::check(load, &ours).await?;
    let mut ratios = Vec::new();
    for (manner, written) in &peers {
        let (line, name) = match manner {
            Manner::Four => ("bare diesel, the same rows", "diesel"),
            Manner::One => ("the same rows as one statement", "cte"),
        };
        report::rows(line, written);
        let of = |what: &str| format!("create{what}_vs_{name}_{workspaces}ws");
        ratios.push(report::ratio(&of(""), ours.rate(), written.rate()));
        ratios.push(report::ratio(&of("_cpu"), ours.processor_micros(), written.processor_micros()));
    }
    report::memory(idle, process::resident_mib(service.first().pid())?);
    if load.profile_seconds > 0 {
        println!("under load for {} s: process {}", load.profile_seconds, service.first().pid());
        send(load, &service, workspaces, Duration::from_secs(load.profile_seconds)).await?;
    }
    Ok(ratios)
}

/// Sends one request per workspace, which records its access grant.
async fn record(service: &UnderLoad, workspaces: i64) {
    for workspace in 1..=workspaces {
        caller(service, workspace).get("/v1/workspaces").await.status(200);
    }
}

fn caller(service: &UnderLoad, workspace: i64) -> shared_testing::Caller {
    service.first().caller(&format!("user-{workspace}")).workspace(workspace)
}

async fn send(load: &Load, service: &UnderLoad, workspaces: i64, length: Duration) -> Result<Measured> {
    let body = document(512).to_string();
    let heads: Vec<_> = (1..=workspaces)
        .map(|workspace| {
            format!(
                "POST /v1/documents HTTP/1.1\r\nhost: {}\r\naccept: application/json\r\nauthorization: Bearer {}\r\n\
                 content-type: application/json\r\ncontent-length: {}\r\nidempotency-key: ",
                service.first().address(),
                caller(service, workspace).token(),
                body.len()
            )
        })
        .collect();
    // Random, so that keys differ between rounds and runs even if Redis was used before.
    let round = shared_model::Random::System.bytes16().map(|byte| format!("{byte:02x}")).concat();
    let tail = format!("\r\n\r\n{body}");
    let mut number = 0;
    load::run(&service.targets(), load.connections, length, move |next| {
        next.extend_from_slice(heads[number % heads.len()].as_bytes());
        next.extend_from_slice(format!("{round}-{number}").as_bytes());
        next.extend_from_slice(tail.as_bytes());
        number += 1;
    })
    .await
}

// Runs a peer in its own process, so that its processor time is counted separately.
fn rows(load: &Load, database: &str, manner: Manner, workspaces: i64) -> Result<Written> {
    let output = Command::new(std::env::current_exe()?)
        .args(["rows", database, "--manner", manner.name()])
        .args(["--connections", &load.connections.min(16).to_string()])
        .args(["--workspaces", &workspaces.to_string(), "--seconds", &load.seconds.to_string()])
        .output()?;
    if !output.status.success() {
        bail!("the rows of a create: {}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
