//! `bench publish`: signed events published by many, on a log that is small and on one that is large, beside what a publish
//! consists of: verifying a signature, and a durable commit of the same rows.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use anyhow::{Context as _, Result, anyhow, bail};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use clap::Args;
use diesel::{Connection as _, PgConnection, SqliteConnection, connection::SimpleConnection as _};
use ed25519_dalek::{Signature, Signer as _, SigningKey};
use serde_json::{Map, Value, json};
use shared_runtime::{Clock, Conn, PublicKey};
use shared_testing::ServiceProcess;
use tokio::time::Instant;
use trust_svc::{
    canonical::{self, EventHash},
    events::{
        Event,
        batch::{self, Entry, Judged},
    },
    log::Leaf,
    signing,
};

use crate::{
    load::{self, Load, Measured},
    process, report,
    service::{UnderLoad, unlimited},
};

/// How hard, on how large a log.
#[derive(Args, Clone)]
pub struct Publishes {
    #[command(flatten)]
    pub load: Load,
    /// Entries of the log before; may be given more than once
    #[arg(long, default_values_t = [1_000, 1_000_000])]
    pub leaves: Vec<u64>,
}

const KEY_ID: &str = "bench";
/// Entries of a commit when there is no HTTP.
const BATCH: u64 = 32;
/// Entries of a commit while the log is filled.
const FILL: u64 = 256;
/// Events that are prepared for each second of a round: more than are published.
const PREPARED: u64 = 20_000;

/// Runs the sides in turns for each size of the log, and prints what came of them.
pub async fn run(publishes: &Publishes) -> Result<()> {
    let mut ratios = Vec::new();
    let mut costs = Vec::new();
    for &leaves in &publishes.leaves {
        let (of_log, cost) = on_log_of(&publishes.load, leaves).await?;
        ratios.extend(of_log);
        costs.push(cost);
    }
    if let [small, .., large] = costs.as_slice() {
        ratios.push(report::ratio("publish_cpu_large_vs_small", *large, *small));
    }
    report::ratios(&ratios);
    Ok(())
}

/// The ratios, and the processor time of a publish in microseconds.
async fn on_log_of(load: &Load, leaves: u64) -> Result<(Vec<(String, f64)>, f64)> {
    let signer = BenchSigner::new();
    let (service, started) = filled(load, &signer, leaves).await?;
    // What writes without HTTP has a database of its own.
    let (mut other, _) = filled(load, &signer, leaves).await?;
    other.processes.iter_mut().for_each(ServiceProcess::kill);
    let process = service.first();
    let idle = process::resident_mib(process.pid())?;
    println!("publish: a log of {leaves} entries, {} connections, {}", load.connections, load.ground());
    println!("from the start of the process to its first answer: {} ms", started.as_millis());

    let events = Events::from(leaves);
    send(load, &service, &signer, &events, Duration::from_secs(1)).await?;
    let mut ours = Measured::nothing()?;
    let (mut commits, mut verified) = (Bare::default(), Bare::default());
    for _ in 0..load.rounds {
        ours.add(&send(load, &service, &signer, &events, load.round()).await?)?;
        commits.add(signer.append(other.first().database_url(), &events, BATCH, Amount::For(load.round()))?);
        verified.add(signer.verify(load.round() / 4)?);
    }
    report::head();
    report::line("POST …/publish", &ours);
    println!("{:<34} {:>12.0}", "the same rows, 32 a commit", commits.rate());
    println!("{:<34} {:>12.0}", "verifying signatures, two threads", verified.rate());
    report::memory(idle, process::resident_mib(process.pid())?);
    let bare = 1.0 / (1.0 / commits.rate() + 1.0 / verified.rate());
    Ok((
        vec![report::ratio(&format!("publish_{leaves}_vs_verify_and_commit"), ours.rate(), bare)],
        ours.processor_micros(),
    ))
}

/// A service whose log has so many entries, and how long its start took then.
async fn filled(load: &Load, signer: &BenchSigner, leaves: u64) -> Result<(UnderLoad, Duration)> {
    let mut service = UnderLoad::start("trust-svc", trust_svc::service(), load.servers(), 1).await?;
    let process = &mut service.processes[0];
    let added =
        process.command(&["signer", "add", "--key-id", KEY_ID, "--public-key", &signer.public_key()]).output()?;
    if !added.status.success() {
        bail!("signer add: {}", String::from_utf8_lossy(&added.stderr));
    }
    process.kill();
    signer.append(process.database_url(), &Events::from(0), FILL, Amount::Of(leaves))?;
    let begun = Instant::now();
    process.start(&[("RATE_LIMITS", &unlimited(&trust_svc::service())), ("RUST_LOG", "warn")]).await;
    process.anyone().get("/wp-json/service-trust/v1/log/checkpoint").await.status(200);
    Ok((service, begun.elapsed()))
}

/// Numbers events, so that no two are the same.
struct Events(AtomicU64);

impl Events {
    fn from(number: u64) -> Self {
        Self(AtomicU64::new(number))
    }

    fn next(&self) -> Map<String, Value> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        let event = json!({
            "schema": "service/market-event/v1", "event_id": format!("evt_{number:032x}"), "kind": "market.listed",
            "market_id": format!("mkt_{number:032x}"), "revision": 1, "prev_event_hash": null,
            "issued_at": Clock::System.now(),
            "data": {
                "title": format!("Will it rain in London on day {number}?"), "outcomes": ["yes", "no"],
                "source": "https://weather.example.com/london", "closes_at": "2027-01-01T00:00:00Z", "fee": 0.02,
            },
        });
        let Value::Object(event) = event else { return Map::new() };
        event
    }
}

/// How much is appended.
enum Amount {
    Of(u64),
    For(Duration),
}

/// What came of something without HTTP.
#[derive(Default)]
struct Bare {
    count: u64,
    seconds: f64,
}

impl Bare {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.seconds += other.seconds;
    }

    fn rate(&self) -> f64 {
        self.count as f64 / self.seconds
    }
}

struct BenchSigner {
    key: SigningKey,
}

impl BenchSigner {
    fn new() -> Self {
        Self { key: SigningKey::from_bytes(&[42; 32].map(|byte: u8| byte.wrapping_mul(7))) }
    }

    fn public_key(&self) -> String {
        BASE64_STANDARD.encode(self.key.verifying_key().as_bytes())
    }

    /// A request that publishes an event.
    fn request(&self, host: &str, event: &Map<String, Value>) -> Vec<u8> {
        let body = signing::signed_body(event, &self.key, KEY_ID, &format!("http://{host}")).to_string();
        format!(
            "POST /wp-json/service-trust/v1/publish HTTP/1.1\r\nhost: {host}\r\naccept: application/json\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }

    /// Appends to the log of a database that no service uses, past all checks of requests. The signatures are of another
    /// text: nobody reads them here.
    #[expect(clippy::disallowed_methods, reason = "a connection of its own, past the service")]
    fn append(&self, database: &str, events: &Events, batch: u64, amount: Amount) -> Result<Bare> {
        let mut conn = match database.strip_prefix("sqlite:") {
            Some(path) => Conn::Sqlite(SqliteConnection::establish(path)?),
            None => Conn::Postgres(PgConnection::establish(database)?),
        };
        if let Conn::Sqlite(conn) = &mut conn {
            let synchronous = if matches!(amount, Amount::Of(_)) { "OFF" } else { "FULL" };
            conn.batch_execute(&format!("PRAGMA busy_timeout = 60000; PRAGMA synchronous = {synchronous}"))?;
        }
        let signature = self.key.sign(b"bench");
        let begun = Instant::now();
        let mut bare = Bare::default();
        loop {
            let count = match amount {
                Amount::Of(all) => batch.min(all - bare.count),
                Amount::For(length) if begun.elapsed() < length => batch,
                Amount::For(_) => 0,
            };
            if count == 0 {
                break;
            }
            let entries = (0..count).map(|_| entry(&events.next(), &signature)).collect::<Result<Vec<_>>>()?;
            let judged =
                conn.transaction(|conn| batch::append(conn, &entries)).map_err(|error| anyhow!("{error:?}"))?;
            if let Some(judged) = judged.iter().find(|judged| !matches!(judged, Judged::Published(..))) {
                bail!("an event is not appended: {judged:?}");
            }
            bare.count += count;
        }
        if let Conn::Postgres(conn) = &mut conn {
            conn.batch_execute("ANALYZE")?;
        }
        bare.seconds = begun.elapsed().as_secs_f64();
        Ok(bare)
    }

    /// Verifies one signature again and again, on two threads.
    fn verify(&self, length: Duration) -> Result<Bare> {
        let key = PublicKey::try_from(self.key.verifying_key()).map_err(|error| anyhow!("{error}"))?;
        let hash = EventHash::of("{}");
        let text = signing::text("http://127.0.0.1:8084", KEY_ID, &hash);
        let signature = self.key.sign(text.as_bytes());
        let begun = Instant::now();
        let count = std::thread::scope(|scope| {
            let threads = [(); 2].map(|()| {
                scope.spawn(|| {
                    let mut count = 0;
                    while begun.elapsed() < length {
                        count += u64::from(signing::is_valid(&key, &text, &signature));
                    }
                    count
                })
            });
            threads.into_iter().map(|thread| thread.join().unwrap_or_default()).sum()
        });
        Ok(Bare { count, seconds: begun.elapsed().as_secs_f64() })
    }
}

fn entry(event: &Map<String, Value>, signature: &Signature) -> Result<Entry> {
    let now = Clock::System.now();
    let canonical = canonical::text(event);
    let event_hash = EventHash::of(&canonical);
    let signer_key_id = KEY_ID.parse().map_err(|error| anyhow!("{error}"))?;
    let leaf = Leaf::new(signing::leaf(&canonical, &event_hash, &signer_key_id, signature)).ok().context("too long")?;
    let event = Event::read(&Value::Object(event.clone()), now).map_err(|problems| anyhow!("{problems:?}"))?;
    Ok(Entry { leaf, event, event_hash, signer_key_id, now, market_href: String::new() })
}

/// Publishes events that are signed before the round begins.
async fn send(
    load: &Load,
    service: &UnderLoad,
    signer: &BenchSigner,
    events: &Events,
    length: Duration,
) -> Result<Measured> {
    let host = service.first().address().to_string();
    let count = PREPARED * length.as_secs().max(1);
    let prepare = || (0..count / 2).map(|_| signer.request(&host, &events.next())).collect::<Vec<_>>();
    let mut requests: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let threads = [scope.spawn(prepare), scope.spawn(prepare)];
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    load::run(&service.targets(), load.connections, length, move |next| {
        // When none is left the service refuses what is sent, and the run ends with that.
        next.extend_from_slice(&requests.pop().unwrap_or_default());
    })
    .await
}
