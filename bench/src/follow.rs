//! `bench follow`: reading a change feed, compared with the same queries without HTTP. It also measures how long after
//! a commit a long-poll is answered.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Context as _, Result};
use clap::Args;
use cloud_svc::{
    WorkspaceId,
    base::owner::Owner,
    news::feed::store::{self, Start},
};
use hdrhistogram::Histogram;
use serde_json::{Value, json};
use shared_testing::Text as _;
use tokio::{
    net::TcpStream,
    time::{Instant, sleep},
};

use crate::{
    ceiling::{self, Ceiling},
    changes,
    load::{self, Exchange, Load, Measured},
    process, report,
    service::UnderLoad,
};

#[derive(Args, Clone)]
pub struct Follow {
    #[command(flatten)]
    pub load: Load,
    /// Changes written before the measurement
    #[arg(long, default_value_t = 100_000)]
    pub changes: u64,
    /// Long-polls to measure
    #[arg(long, default_value_t = 500)]
    pub wakes: u32,
}

// The largest page allowed.
const PAGE: usize = 100;
// Lets a long-poll begin to wait before something is written.
const WAITING: Duration = Duration::from_millis(10);

pub async fn run(follow: &Follow) -> Result<()> {
    let load = &follow.load;
    let service = UnderLoad::start("cloud-svc", cloud_svc::service(), load.servers(), 1).await?;
    let cloud = service.first();
    let ada = cloud.caller("ada");
    ada.post("/v1/documents").fresh_key().json(json!({"name": "Followed"})).await.status(200);
    let start = ada.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
    changes::insert(&mut changes::connect(cloud.database_url())?, follow.changes)?;
    let idle = process::resident_mib(cloud.pid())?;
    println!("follow: {} changes, one reader, pages of {PAGE}, {}", follow.changes, load.ground());

    let mut reader = Reader::connect(cloud.address(), ada.token()).await?;
    // Warms up.
    reader.read(&start, load.round().min(Duration::from_secs(1))).await?;
    let (mut ours, mut bare) = (Measured::nothing()?, Measured::nothing()?);
    for _ in 0..load.rounds {
        let before = process::processor_time(cloud.pid())?;
        ours.add(&reader.read(&start, load.round()).await?)?;
        ours.processor += process::processor_time(cloud.pid())?.saturating_sub(before);
        bare.add(&without_http(cloud.database_url(), load.round())?)?;
    }
    println!("{:<34} {:>12} {:>14}", "", "changes/s", "CPU µs/change");
    println!("{:<34} {:>12.0} {:>14.2}", "GET /v1/changes", ours.rate(), ours.processor_micros());
    println!("{:<34} {:>12.0} {:>14.2}", "the same queries without HTTP", bare.rate(), bare.processor_micros());
    let ceiling = reader.ceiling(&start, load.round()).await?;
    println!("{:<34} {:>12.0}", "ceiling of the generator", ceiling.rate());
    ceiling.check(ours.rate())?;

    let [from_request, from_answer] = reader.wake(&service, follow.wakes).await?;
    println!("{:<34} {:>10} {:>10}", "a long-poll is answered", "p50 ms", "p99 ms");
    let millis = |latencies: &Histogram<u64>, quantile| latencies.value_at_quantile(quantile) as f64 / 1e3;
    for (name, latencies) in
        [("after a create was sent", &from_request), ("after that create was answered", &from_answer)]
    {
        println!("{name:<34} {:>10.2} {:>10.2}", millis(latencies, 0.50), millis(latencies, 0.99));
    }
    report::memory(idle, process::resident_mib(cloud.pid())?);
    report::ratios(&[
        report::ratio("follow_vs_bare", ours.rate(), bare.rate()),
        ("wake_p99_ms".to_owned(), millis(&from_answer, 0.99)),
    ]);
    Ok(())
}

/// Reads the feed over one connection.
struct Reader {
    stream: TcpStream,
    token: String,
    answer: Vec<u8>,
}

impl Reader {
    async fn connect(address: SocketAddr, token: String) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, token, answer: Vec::new() })
    }

    /// Reads from the cursor to the end, repeatedly, until `length` is over.
    async fn read(&mut self, start: &str, length: Duration) -> Result<Measured> {
        let mut measured = Measured::nothing()?;
        let begun = Instant::now();
        let mut cursor = start.to_owned();
        while begun.elapsed() < length {
            let page = self.page(&cursor, 0).await?;
            measured.answers += page["items"].as_array().context("items")?.len() as u64;
            let next = if page["has_more"] == true { page["next_cursor"].text() } else { start };
            next.clone_into(&mut cursor);
        }
        measured.elapsed = begun.elapsed();
        Ok(measured)
    }

    /// The rate of a reader of the first page, prepared, again and again.
    async fn ceiling(&mut self, start: &str, length: Duration) -> Result<Ceiling> {
        let page = self.page(start, 0).await?;
        // The cursor that the page itself names: all requests are the same.
        let cursor = page["next_cursor"].text();
        let prepared = Exchange { request: self.request(cursor, 0).into_bytes(), answer: self.answer.clone() };
        let server = ceiling::echo(&prepared)?;
        let measured = Self::connect(server.address, self.token.clone()).await?.read(cursor, length).await?;
        Ok(Ceiling::of(&measured))
    }

    fn request(&self, cursor: &str, wait: u64) -> String {
        format!(
            "GET /v1/changes?cursor={cursor}&limit={PAGE}&wait_seconds={wait} HTTP/1.1\r\nhost: cloud\r\naccept: \
             application/json\r\nauthorization: Bearer {}\r\n\r\n",
            self.token
        )
    }

    async fn page(&mut self, cursor: &str, wait: u64) -> Result<Value> {
        let request = self.request(cursor, wait);
        load::exchange(&mut self.stream, request.as_bytes(), &mut self.answer).await?;
        let start = self.answer.windows(4).position(|window| window == b"\r\n\r\n").context("an answer has a head")?;
        Ok(serde_json::from_slice(&self.answer[start + 4..])?)
    }

    /// Wakes long-polls by creates. Returns the delays since the create's request and since its answer.
    async fn wake(&mut self, service: &UnderLoad, wakes: u32) -> Result<[Histogram<u64>; 2]> {
        let ada = service.first().caller("ada");
        let mut latencies =
            [Histogram::new_with_bounds(1, 60_000_000, 3)?, Histogram::new_with_bounds(1, 60_000_000, 3)?];
        for number in 0..wakes {
            let cursor = ada.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
            let create = async {
                sleep(WAITING).await;
                let sent = Instant::now();
                let body = json!({"name": format!("News {number}")});
                ada.post("/v1/documents").fresh_key().json(body).await.status(200);
                [sent, Instant::now()]
            };
            let woken = async {
                let page = self.page(&cursor, 20).await?;
                anyhow::ensure!(page["items"].as_array().is_some_and(|items| !items.is_empty()), "no news: {page}");
                anyhow::Ok(Instant::now())
            };
            let (since, woken) = futures_util::join!(create, woken);
            let woken = woken?;
            for (latencies, since) in latencies.iter_mut().zip(since) {
                let micros = u64::try_from(woken.saturating_duration_since(since).as_micros())?;
                latencies.record(micros.max(1))?;
            }
        }
        Ok(latencies)
    }
}

/// Runs the service's query for pages until `length` is over.
fn without_http(database: &str, length: Duration) -> Result<Measured> {
    let mut conn = changes::connect(database)?;
    let mut measured = Measured::nothing()?;
    let before = process::processor_time(std::process::id())?;
    let (owner, begun) = (WorkspaceId::from_number(1), Instant::now());
    let mut start = Start::Oldest;
    while begun.elapsed() < length {
        let found =
            store::look(&mut conn, Owner::without_limits(owner), start, None, PAGE)?.context("the feed has a gap")?;
        let files = store::files(&mut conn, Owner::without_limits(owner), &found.changes)?;
        std::hint::black_box(files);
        measured.answers += found.changes.len() as u64;
        start = if found.has_more { Start::After(found.last) } else { Start::Oldest };
    }
    measured.elapsed = begun.elapsed();
    measured.processor = process::processor_time(std::process::id())?.saturating_sub(before);
    Ok(measured)
}
