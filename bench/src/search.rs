//! `bench search`: searches among many names, compared with the same queries without HTTP.

use std::{process::Command, time::Duration};

use anyhow::{Result, bail};
use clap::Args;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use serde::{Deserialize, Serialize};

use crate::{
    ceiling, contents,
    load::{self, Load, Measured},
    names, process, report,
    service::UnderLoad,
};

#[derive(Args, Clone)]
pub struct Searches {
    #[command(flatten)]
    pub load: Load,
    /// Names in the workspace; may be repeated
    #[arg(long, default_values_t = [100_000, 1_000_000])]
    pub names: Vec<u64>,
    /// Documents of another workspace, searched by content; 0: none
    #[arg(long, default_value_t = 100_000)]
    pub documents: u64,
}

pub async fn run(searches: &Searches) -> Result<()> {
    let mut ratios = Vec::new();
    for &count in &searches.names {
        ratios.extend(among(&searches.load, count).await?);
    }
    if searches.documents > 0 {
        ratios.extend(by_content(&searches.load, searches.documents).await?);
    }
    report::ratios(&ratios);
    Ok(())
}

/// Searches for words among documents. There is no peer: the ratio is that of the index to the texts.
async fn by_content(load: &Load, count: u64) -> Result<Vec<(String, f64)>> {
    let service = UnderLoad::start("cloud-svc", cloud_svc::service(), load.servers(), 1).await?;
    let service_process = service.first();
    let ada = service_process.caller("ada");
    ada.get("/v1/workspaces").await.status(200);
    let database = service_process.database_url();
    let bytes = contents::insert(database, count)?;
    let took = contents::indexed(database).await?;
    let index = contents::index_bytes(database)?;
    println!(
        "search: among {count} documents of {} words, {} connections, {}; indexed in {:.1} s, {} bytes for {bytes} of text",
        contents::WORDS,
        load.connections,
        load.ground(),
        took.as_secs_f64(),
        index
    );
    let head = head(service_process.address(), ada.token());
    let send = async |length: Duration, pause: Duration| {
        let mut random = StdRng::seed_from_u64(7);
        let head = head.clone();
        let next = move |next: &mut Vec<u8>| {
            let terms = contents::terms(&mut random);
            next.extend_from_slice(format!("GET /v1/content-search?text={terms} HTTP/1.1\r\n{head}").as_bytes());
        };
        load::run_paced(&service.targets(), load.connections, length, pause, next).await
    };
    send(Duration::from_secs(1), Duration::ZERO).await?;
    let full = send(load.round(), Duration::ZERO).await?;
    let pause = Duration::from_secs_f64(2.0 * load.connections as f64 / full.rate());
    let half = send(load.round(), pause).await?;
    report::head();
    report::line("GET /v1/content-search", &full);
    ceiling::check(load, &full).await?;
    report::line("the same at half load", &half);
    Ok(vec![report::ratio(&format!("content_index_{count}_vs_text"), index as f64, bytes as f64)])
}

/// The headers of each request.
fn head(address: impl std::fmt::Display, token: impl std::fmt::Display) -> String {
    format!("host: {address}\r\naccept: application/json\r\nauthorization: Bearer {token}\r\n\r\n")
}

async fn among(load: &Load, count: u64) -> Result<Vec<(String, f64)>> {
    let service = UnderLoad::start("cloud-svc", cloud_svc::service(), load.servers(), 1).await?;
    let service_process = service.first();
    let ada = service_process.caller("ada");
    ada.get("/v1/workspaces").await.status(200);
    names::insert(service_process.database_url(), count)?;
    let idle = process::resident_mib(service_process.pid())?;
    println!("search: among {count} names, {} connections, {}", load.connections, load.ground());
    let head = head(service_process.address(), ada.token());
    let send = async |length: Duration, pause: Duration| {
        // The same terms in each round, so that rounds are comparable.
        let mut random = StdRng::seed_from_u64(7);
        let head = head.clone();
        let next = move |next: &mut Vec<u8>| {
            let term = names::term(random.random_range(0..count));
            next.extend_from_slice(format!("GET /v1/search?name_contains={term} HTTP/1.1\r\n{head}").as_bytes());
        };
        load::run_paced(&service.targets(), load.connections, length, pause, next).await
    };
    send(Duration::from_secs(1), Duration::ZERO).await?;
    let (mut ours, mut bare) = (Measured::nothing()?, Bare::default());
    for _ in 0..load.rounds {
        ours.add(&send(load.round(), Duration::ZERO).await?)?;
        bare.add(&without_http(load, service_process.database_url(), count)?);
    }
    // At full load, latencies show the queue of the load itself. Half of the rate shows what a user waits for.
    let pause = Duration::from_secs_f64(2.0 * load.connections as f64 / ours.rate());
    let half = send(load.round(), pause).await?;
    report::head();
    report::line("GET /v1/search", &ours);
    ceiling::check(load, &ours).await?;
    report::line("the same at half load", &half);
    println!("{:<34} {:>12.0}", "the same queries without HTTP", bare.rate());
    report::memory(idle, process::resident_mib(service_process.pid())?);
    Ok(vec![report::ratio(&format!("search_{count}_vs_bare"), ours.rate(), bare.rate())])
}

/// Result of the queries without HTTP.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Bare {
    queries: u64,
    seconds: f64,
}

impl Bare {
    fn add(&mut self, other: &Self) {
        self.queries += other.queries;
        self.seconds += other.seconds;
    }

    fn rate(&self) -> f64 {
        self.queries as f64 / self.seconds
    }
}

// Runs the queries in their own process, so that their processor time is counted separately.
fn without_http(load: &Load, database: &str, count: u64) -> Result<Bare> {
    let output = Command::new(std::env::current_exe()?)
        .args(["names", database, "--names", &count.to_string()])
        // Four at most: each needs a thread that is busy all the time.
        .args(["--connections", &load.connections.min(4).to_string(), "--seconds", &load.seconds.to_string()])
        .output()?;
    if !output.status.success() {
        bail!("queries without HTTP: {}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Runs queries on parallel connections and prints the result.
pub fn query(database: &str, count: u64, connections: usize, length: Duration) -> Result<()> {
    let threads: Vec<_> = (0..connections as u64)
        .map(|seed| {
            let database = database.to_owned();
            std::thread::spawn(move || names::query(&database, count, seed, length))
        })
        .collect();
    let mut queries = 0;
    for thread in threads {
        match thread.join() {
            Ok(done) => queries += done?,
            Err(_) => bail!("a thread panicked"),
        }
    }
    println!("{}", serde_json::to_string(&Bare { queries, seconds: length.as_secs_f64() })?);
    Ok(())
}
