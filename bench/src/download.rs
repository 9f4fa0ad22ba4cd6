//! `bench download`: throughput of an export's part, compared with actix-files serving the same file.

use std::{
    fs::{self, File},
    io::{BufWriter, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::Command,
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use serde_json::json;
use shared_runtime::base::telemetry::Stopwatch;
use shared_testing::{ServiceProcess, Text as _};

use crate::{ceiling::Ceiling, peer_process::PeerProcess, process, report, service::UnderLoad};

const MIB: u64 = 1 << 20;
const ROOM: &str = "room_00000000000000000000000000000001";

#[derive(Args, Clone)]
pub struct Download {
    /// Size of the file in MiB
    #[arg(long, default_value_t = 512)]
    mib: u64,
    /// Rounds of each side; the sides take turns, so that noise affects both
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Parallel downloads of the whole file
    #[arg(long, default_value_t = 4)]
    connections: usize,
}

pub async fn run(download: &Download) -> Result<()> {
    let bytes = download.mib * MIB;
    let service = UnderLoad::start("locker-svc", locker_svc::service(), None, 1).await?;
    let service = service.first();
    let idle = process::resident_mib(service.pid())?;
    let export = build(service, bytes)?;
    let blobs = service.folder().join("blobs");
    let peer = PeerProcess::start("files", &blobs)?;
    let path = format!("/{}", only_file(&blobs, &format!("exports/{export}"))?);
    println!("download: a part of {} MiB, {} at a time, from a local folder", download.mib, download.connections);

    let sides = [("GET /downloads/{token}", service.pid()), ("bare actix-files, the same file", peer.pid())];
    let mut totals = [Total::default(), Total::default()];
    for round in 0..=download.rounds {
        for (side, total) in totals.iter_mut().enumerate() {
            let (address, path) = match side {
                // A fresh link for each round, because links expire soon.
                0 => (service.address(), link(service, &export).await?),
                _ => (peer.address, path.clone()),
            };
            let own = || process::processor_time(std::process::id());
            let (before, own_before) = (process::processor_time(sides[side].1)?, own()?);
            let elapsed = fetch(address, &path, download.connections, bytes)?;
            // The first round only fills the page cache.
            if round > 0 {
                total.bytes += bytes * download.connections as u64;
                total.elapsed += elapsed;
                total.processor += process::processor_time(sides[side].1)?.saturating_sub(before);
                total.generator += own()?.saturating_sub(own_before);
            }
        }
    }
    println!("{:<34} {:>12} {:>14}", "", "MiB/s", "CPU ms/GiB");
    for ((name, _), total) in sides.iter().zip(&totals) {
        println!("{name:<34} {:>12.0} {:>14.0}", total.rate(), total.processor_millis());
    }
    let [ours, bare] = &totals;
    let ceiling = ours.ceiling(download.connections)?;
    println!("{:<34} {:>12.0}", "ceiling of the generator", ceiling.rate());
    ceiling.check(ours.rate())?;
    let is_held_back = bare.ceiling(download.connections)?.holds_back(bare.rate());
    let rates = if is_held_back { "download_vs_actix_files_at_most" } else { "download_vs_actix_files" };
    println!("resident memory: {idle:.1} MiB idle, {:.1} MiB at most", process::peak_mib(service.pid())?);
    report::ratios(&[
        report::ratio(rates, ours.rate(), bare.rate()),
        report::ratio("download_cpu_vs_actix_files", ours.processor_millis(), bare.processor_millis()),
    ]);
    Ok(())
}

#[derive(Default)]
struct Total {
    bytes: u64,
    elapsed: Duration,
    processor: Duration,
    /// Processor time of the generator.
    generator: Duration,
}

impl Total {
    fn rate(&self) -> f64 {
        self.bytes as f64 / MIB as f64 / self.elapsed.as_secs_f64()
    }

    fn ceiling(&self, connections: usize) -> Result<Ceiling> {
        Ceiling::of_threads(self.rate(), connections, self.elapsed, self.generator)
    }

    fn processor_millis(&self) -> f64 {
        self.processor.as_secs_f64() * 1e3 / (self.bytes as f64 / (1024 * MIB) as f64)
    }
}

/// Builds an export of one part with the command line, as operators do. Returns its id.
fn build(service: &ServiceProcess, bytes: u64) -> Result<String> {
    let source = service.folder().join("source.bin");
    write_noise(&source, bytes)?;
    let import = service.folder().join("import");
    let room = json!({"owner": "ada", "subscription": {
        "id": "sub_00000000000000000000000000000001", "room_id": ROOM, "state": "incomplete", "version": 1,
        "sku": "room-s", "currency": "GBP", "monthly_pence": 0, "setup_pence": 0,
        "created_at": "2026-10-01T00:00:00Z", "updated_at": "2026-10-01T00:00:00Z",
    }});
    fs::write(&import, room.to_string())?;
    succeeded(service.command(&["import"]).arg(&import))?;
    let part = bytes.to_string();
    let begun = Stopwatch::start();
    let printed = succeeded(service.command(&["export", "build", "--room", ROOM, "--part-bytes", &part]).arg(&source))?;
    let rate = bytes as f64 / MIB as f64 / begun.elapsed().as_secs_f64();
    println!("export build: {rate:.0} MiB/s, hashed and on the disk");
    fs::remove_file(&source)?;
    Ok(printed.trim().to_owned())
}

fn succeeded(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout)?);
    }
    Err(anyhow!("{}", String::from_utf8_lossy(&output.stderr)))
}

// Random bytes, which no layer can compress.
fn write_noise(path: &Path, bytes: u64) -> Result<()> {
    let mut file = BufWriter::with_capacity(MIB as usize, File::create(path)?);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..bytes / 8 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        file.write_all(&state.to_le_bytes())?;
    }
    Ok(file.flush()?)
}

/// Path, below `root`, of the only file in a folder.
fn only_file(root: &Path, folder: &str) -> Result<String> {
    let entry = fs::read_dir(root.join(folder))?.next().context("the blob store is empty")??;
    Ok(format!("{folder}/{}", entry.file_name().to_string_lossy()))
}

async fn link(service: &ServiceProcess, export: &str) -> Result<String> {
    let listed = service.caller("ada").get(format!("/api/v1/exports/{export}/parts")).await.status(200);
    let url = listed["data"]["parts"][0]["download"]["url"].text().to_owned();
    let base_url = format!("http://{}", service.address());
    Ok(url.strip_prefix(&base_url).context("a link to another service")?.to_owned())
}

/// Downloads the file on each connection at the same time and discards it. Returns the time taken.
fn fetch(address: SocketAddr, path: &str, connections: usize, bytes: u64) -> Result<Duration> {
    let begun = Stopwatch::start();
    thread::scope(|scope| {
        let downloads: Vec<_> = (0..connections).map(|_| scope.spawn(|| fetch_one(address, path))).collect();
        for download in downloads {
            let got = download.join().map_err(|_| anyhow!("a download panicked"))??;
            if got != bytes {
                bail!("{got} bytes instead of {bytes}");
            }
        }
        Ok(begun.elapsed())
    })
}

fn fetch_one(address: SocketAddr, path: &str) -> Result<u64> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").as_bytes())?;
    let mut buffer = vec![0; 256 * 1024];
    let mut head = Vec::new();
    let body = loop {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            bail!("closed within the head");
        }
        head.extend_from_slice(&buffer[..count]);
        if let Some(end) = head.windows(4).position(|window| window == b"\r\n\r\n") {
            break head.len() - end - 4;
        }
    };
    if head.get(9..12) != Some(b"200") {
        bail!("not 200: {}", String::from_utf8_lossy(&head));
    }
    let mut got = body as u64;
    loop {
        match stream.read(&mut buffer)? {
            0 => return Ok(got),
            count => got += count as u64,
        }
    }
}
