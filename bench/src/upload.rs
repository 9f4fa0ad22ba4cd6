//! `bench upload`: upload chunks, durable before the answer, compared with a program that hashes, writes and syncs the
//! same bytes.

use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use rand::Rng as _;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use shared_runtime::base::telemetry::Stopwatch;
use shared_testing::{Caller, Text as _};

use crate::{ceiling::Ceiling, process, report, service::UnderLoad};

const CHUNK: usize = 1 << 20;

#[derive(Args, Clone)]
pub struct Upload {
    /// Size of each file in MiB
    #[arg(long, default_value_t = 128)]
    mib: usize,
    /// Rounds of each side; the sides take turns, so that noise affects both
    #[arg(long, default_value_t = 5)]
    rounds: u32,
}

pub async fn run(upload: &Upload) -> Result<()> {
    let service = UnderLoad::start("cloud-svc", cloud_svc::service(), None, 1).await?;
    let service = service.first();
    let idle = process::resident_mib(service.pid())?;
    let peer = service.folder().join("peer");
    fs::create_dir(&peer)?;
    let mut chunk = vec![0; CHUNK];
    rand::rng().fill_bytes(&mut chunk);
    let ada = service.caller("ada");
    println!("upload: a file of {} MiB on each connection, in chunks of 1 MiB, to a local folder", upload.mib);
    println!("{:<48} {:>12}", "", "MiB/s");
    let mut ratios = Vec::new();
    for connections in [1, 4] {
        let (mut ours, mut bare, mut busy) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        // The first round only warms up.
        for round in 0..=upload.rounds {
            let mut heads = Vec::new();
            let mut begun = Vec::new();
            for _ in 0..connections {
                let id = begin(&ada, upload.mib).await;
                heads.push(format!(
                    "host: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/octet-stream\r\ncontent-length: \
                     {CHUNK}\r\n\r\n",
                    service.address(),
                    ada.token()
                ));
                begun.push(id);
            }
            let address = service.address();
            let before = process::processor_time(std::process::id())?;
            let sent = timed(connections, |at| send(address, &begun[at], &heads[at], &chunk, upload.mib))?;
            let sending = process::processor_time(std::process::id())?.saturating_sub(before);
            // New files, as in the service: overwriting cached pages would be cheaper.
            let name = |at| format!("{connections}-{round}-{at}");
            let written = timed(connections, |at| write(&peer.join(name(at)), &chunk, upload.mib))?;
            if round > 0 {
                ours += sent;
                busy += sending;
                bare += written;
            }
            for id in &begun {
                // Gives the reserved quota back, so that any number of rounds fits.
                ada.post(format!("/v1/uploads/{id}/cancel")).fresh_key().json(json!({})).await.status(200);
            }
        }
        let mib = (upload.mib * connections) as f64 * f64::from(upload.rounds);
        let rate = |elapsed: Duration| mib / elapsed.as_secs_f64();
        println!("{:<48} {:>12.0}", format!("PUT …/chunks/{{index}}, {connections} at a time"), rate(ours));
        println!("{:<48} {:>12.0}", format!("write + SHA-256 + fdatasync, {connections} at a time"), rate(bare));
        let ceiling = Ceiling::of_threads(rate(ours), connections, ours, busy)?;
        println!("{:<48} {:>12.0}", "ceiling of the generator", ceiling.rate());
        ceiling.check(rate(ours))?;
        ratios.push(report::ratio(&format!("upload_vs_write_{connections}"), rate(ours), rate(bare)));
    }
    println!("resident memory: {idle:.1} MiB idle, {:.1} MiB at most", process::peak_mib(service.pid())?);
    report::ratios(&ratios);
    Ok(())
}

async fn begin(ada: &Caller, mib: usize) -> String {
    // The hash does not matter, because the upload is never completed.
    let claim = json!({
        "name": "Noise", "mime": "application/octet-stream", "size": mib * CHUNK, "sha256": "0".repeat(64),
    });
    let begun = ada.post("/v1/uploads").fresh_key().json(claim).await.status(200);
    begun["upload"]["id"].text().to_owned()
}

/// Runs `work` in parallel `times` times. Returns the total time.
fn timed(times: usize, work: impl Fn(usize) -> Result<()> + Sync) -> Result<Duration> {
    let begun = Stopwatch::start();
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..times).map(|at| scope.spawn(move || work(at))).collect();
        for thread in threads {
            thread.join().map_err(|_| anyhow!("a thread panicked"))??;
        }
        Ok(begun.elapsed())
    })
}

/// Sends chunks one after the other, each after the previous answer.
fn send(address: SocketAddr, upload: &str, head: &str, chunk: &[u8], count: usize) -> Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let mut answer = Vec::new();
    for index in 0..count {
        stream.write_all(format!("PUT /v1/uploads/{upload}/chunks/{index} HTTP/1.1\r\n{head}").as_bytes())?;
        stream.write_all(chunk)?;
        read(&mut stream, &mut answer)?;
    }
    Ok(())
}

/// Reads one answer, which must be 200.
fn read(stream: &mut TcpStream, answer: &mut Vec<u8>) -> Result<()> {
    answer.clear();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            bail!("closed before the answer's end");
        }
        answer.extend_from_slice(&buffer[..count]);
        let Some(head) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let text = String::from_utf8_lossy(&answer[..head]).to_ascii_lowercase();
        if !text.starts_with("http/1.1 200") {
            bail!("not 200: {}", String::from_utf8_lossy(answer));
        }
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")).context("no length")?;
        if answer.len() >= head + 4 + length.parse::<usize>()? {
            return Ok(());
        }
    }
}

// Writes the same bytes as fast as possible with the same durability.
fn write(path: &Path, chunk: &[u8], count: usize) -> Result<()> {
    let mut file = File::create(path)?;
    let mut hash = Sha256::new();
    for _ in 0..count {
        hash.update(chunk);
        file.write_all(chunk)?;
        // After each chunk, because the service answers a chunk only when it is durable.
        file.sync_data()?;
    }
    // Otherwise the compiler could remove the unused hash.
    std::hint::black_box(hash.finalize());
    Ok(())
}
