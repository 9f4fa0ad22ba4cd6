//! `bench read`: what an authenticated, rate-limited, database-backed read costs beside the bare framework.

use std::{
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    process::{Child as Process, Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use shared_testing::Text as _;

use crate::{
    Load, Outcome,
    load::{self, Measured, Target},
    peer::Prepared,
    process, report,
    service::UnderLoad,
};

/// Runs both sides in turns and prints what came of them.
pub async fn run(load: &Load) -> Outcome {
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
    let own = ["content-length", "date", "connection"];
    let headers = answer.headers().iter().filter(|(name, _)| !own.contains(&name.as_str())).cloned().collect();
    let peer = Peer::start(&Prepared { headers, body: answer.body() })?;

    println!(
        "read: one document, {} bytes of answer, {} connections, {}",
        answer.bytes().len(),
        load.connections,
        load.ground()
    );
    let sides = [
        Target { address: service.address(), pid: service.pid() },
        Target { address: peer.address, pid: peer.process.id() },
    ];
    let mut totals = [Measured::nothing()?, Measured::nothing()?];
    for side in sides {
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
    report::memory(idle, process::resident_mib(service.pid())?);
    if load.profile_seconds > 0 {
        println!("under load for {} s: process {}", load.profile_seconds, service.pid());
        send(load, &request, sides[0], Duration::from_secs(load.profile_seconds)).await?;
    }
    report::ratios(&[
        report::ratio("read_vs_actix", ours.rate(), bare.rate()),
        report::ratio("read_cpu_vs_actix", ours.processor_micros(), bare.processor_micros()),
    ]);
    Ok(())
}

async fn send(load: &Load, request: &str, side: Target, round: Duration) -> Outcome<Measured> {
    let bytes = request.as_bytes().to_vec();
    load::run(&[side], load.connections, round, move |next| next.extend_from_slice(&bytes)).await
}

/// A document whose text is about this long.
pub fn document(bytes: usize) -> Value {
    let count = (bytes / 256).max(1);
    let text = "w".repeat((bytes / count).saturating_sub(80).max(16));
    let blocks: Vec<_> = (0..count)
        .map(|number| json!({"id": format!("block-{number}"), "type": "paragraph", "segments": [{"text": text}]}))
        .collect();
    json!({"name": "Benchmark", "content": {"kind": "docs", "blocks": blocks}})
}

struct Peer {
    process: Process,
    address: SocketAddr,
    _answer: tempfile::NamedTempFile,
}

impl Peer {
    fn start(prepared: &Prepared) -> Outcome<Self> {
        let file = tempfile::NamedTempFile::new()?;
        serde_json::to_writer(&file, prepared)?;
        let mut process =
            Command::new(std::env::current_exe()?).arg("peer").arg(file.path()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().ok_or("the peer has no output")?).read_line(&mut line)?;
        Ok(Self { process, address: line.trim().parse()?, _answer: file })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Already gone is as good as killed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
