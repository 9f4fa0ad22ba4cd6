//! `bench publish`: events published to a small and to a large log. They are compared with verifying signatures and
//! with durable commits of the same rows.

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
use shared_model::json_reader;
use shared_runtime::{Clock, Conn, PublicKey};
use shared_testing::ServiceProcess;
use tokio::time::Instant;
use trust_log::canonical;
use trust_svc::{
    events::{
        Publication,
        append::{self, AppendResult, QueuedEvent},
        publication::log_entry,
    },
    log::Leaf,
    model::{Event, EventHash},
};

use crate::{
    ceiling,
    load::{self, Load, Measured},
    process, report,
    service::{UnderLoad, unlimited},
};

#[derive(Args, Clone)]
pub struct Publishes {
    #[command(flatten)]
    pub load: Load,
    /// Entries of the log before the measurement; may be repeated
    #[arg(long, default_values_t = [1_000, 1_000_000])]
    pub leaves: Vec<u64>,
}

const KEY_ID: &str = "bench";
// The service's own limit for a batch, so that both sides commit equally often.
const BATCH: u64 = 32;
// Larger than the service's batches, because only the time to fill the log matters here.
const FILL: u64 = 256;
// More than can be published in a second, so that signing is not measured.
const PREPARED: u64 = 20_000;

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

/// Measures one log. Returns the ratios, and the processor time of a publish in microseconds.
async fn on_log_of(load: &Load, leaves: u64) -> Result<(Vec<(String, f64)>, f64)> {
    let signer = BenchSigner::new();
    let (service, started) = filled(load, &signer, leaves).await?;
    // The peer gets its own database, so that the service's log does not change while it is read.
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
        // A quarter is enough, because this rate varies little.
        verified.add(signer.verify(load.round() / 4)?);
    }
    report::head();
    report::line("POST …/publish", &ours);
    ceiling::check(load, &ours).await?;
    println!("{:<34} {:>12.0}", "the same rows, 32 a commit", commits.rate());
    println!("{:<34} {:>12.0}", "verifying signatures, two threads", verified.rate());
    report::memory(idle, process::resident_mib(process.pid())?);
    // One publish needs both a verification and a commit, one after the other: times add up, rates do not.
    let bare = 1.0 / (1.0 / commits.rate() + 1.0 / verified.rate());
    Ok((
        vec![report::ratio(&format!("publish_{leaves}_vs_verify_and_commit"), ours.rate(), bare)],
        ours.processor_micros(),
    ))
}

/// A service with a log of this size, and how long its start took.
async fn filled(load: &Load, signer: &BenchSigner, leaves: u64) -> Result<(UnderLoad, Duration)> {
    let mut service = UnderLoad::start("trust-svc", trust_svc::service(), load.servers(), 1).await?;
    let process = &mut service.processes[0];
    let added =
        process.command(&["signer", "add", "--key-id", KEY_ID, "--public-key", &signer.public_key()]).output()?;
    if !added.status.success() {
        bail!("signer add: {}", String::from_utf8_lossy(&added.stderr));
    }
    // The service holds the log's head in memory, so it must not run while another process appends.
    process.kill();
    signer.append(process.database_url(), &Events::from(0), FILL, Amount::Of(leaves))?;
    let begun = Instant::now();
    process.start(&[("RATE_LIMITS", &unlimited(&trust_svc::service())), ("RUST_LOG", "warn")]).await;
    process.anyone().get("/wp-json/service-trust/v1/log/checkpoint").await.status(200);
    Ok((service, begun.elapsed()))
}

/// Makes unique events.
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

enum Amount {
    Of(u64),
    For(Duration),
}

/// Result of a side without HTTP.
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
        // Fixed, so that runs are comparable.
        Self { key: SigningKey::from_bytes(&[42; 32].map(|byte: u8| byte.wrapping_mul(7))) }
    }

    fn public_key(&self) -> String {
        BASE64_STANDARD.encode(self.key.verifying_key().as_bytes())
    }

    fn request(&self, host: &str, event: &Map<String, Value>) -> Vec<u8> {
        let body = Publication::sign(event, &self.key, KEY_ID, &format!("http://{host}")).to_string();
        format!(
            "POST /wp-json/service-trust/v1/publish HTTP/1.1\r\nhost: {host}\r\naccept: application/json\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }

    // Appends to a log without a service and without checks of requests. All signatures are copies, because nothing
    // reads them here.
    #[expect(clippy::disallowed_methods, reason = "a connection of its own, past the service")]
    fn append(&self, database: &str, events: &Events, batch: u64, amount: Amount) -> Result<Bare> {
        let mut conn = match database.strip_prefix("sqlite:") {
            Some(path) => Conn::Sqlite(SqliteConnection::establish(path)?),
            None => Conn::Postgres(PgConnection::establish(database)?),
        };
        if let Conn::Sqlite(conn) = &mut conn {
            // The durability of the fill is irrelevant; that of the measured commits must equal the service's.
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
            let results =
                conn.transaction(|conn| append::append(conn, &entries)).map_err(|error| anyhow!("{error:?}"))?;
            if let Some(result) = results.iter().find(|result| !matches!(result, AppendResult::Appended(..))) {
                bail!("an event is not appended: {result:?}");
            }
            bare.count += count;
        }
        if let Conn::Postgres(conn) = &mut conn {
            // PostgreSQL has no statistics of a table that was just filled, and would choose other plans.
            conn.batch_execute("ANALYZE")?;
        }
        bare.seconds = begun.elapsed().as_secs_f64();
        Ok(bare)
    }

    /// Verifies one signature repeatedly on two threads.
    fn verify(&self, length: Duration) -> Result<Bare> {
        let key = PublicKey::try_from(self.key.verifying_key()).map_err(|error| anyhow!("{error}"))?;
        let base_url = "http://127.0.0.1:8084";
        let body = Publication::sign(&Map::new(), &self.key, KEY_ID, base_url);
        let publication: Publication = json_reader::read(&body).map_err(|problems| anyhow!("{problems:?}"))?;
        let begun = Instant::now();
        let count = std::thread::scope(|scope| {
            let threads = [(); 2].map(|()| {
                scope.spawn(|| {
                    let mut count = 0;
                    while begun.elapsed() < length {
                        count += u64::from(publication.verify_signature(&key, base_url).is_ok());
                    }
                    count
                })
            });
            threads.into_iter().map(|thread| thread.join().unwrap_or_default()).sum()
        });
        Ok(Bare { count, seconds: begun.elapsed().as_secs_f64() })
    }
}

fn entry(event: &Map<String, Value>, signature: &Signature) -> Result<QueuedEvent> {
    let now = Clock::System.now();
    let canonical = canonical::object_text(event);
    let event_hash = EventHash::from_canonical(&canonical);
    let signer_key_id = KEY_ID.parse().map_err(|error| anyhow!("{error}"))?;
    let leaf = Leaf::new(log_entry(&canonical, &event_hash, &signer_key_id, signature)).ok().context("too long")?;
    let event = Event::read(&Value::Object(event.clone()), now).map_err(|problems| anyhow!("{problems:?}"))?;
    Ok(QueuedEvent { leaf, event, event_hash, signer_key_id, now, market_href: String::new() })
}

/// Publishes events that were signed before the round.
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
        // Two threads: signing 20 000 events per second of the round takes longer than the round.
        let threads = [scope.spawn(prepare), scope.spawn(prepare)];
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    load::run(&service.targets(), load.connections, length, move |next| {
        // When none is left, the service refuses the repeated request and the run ends.
        next.extend_from_slice(&requests.pop().unwrap_or_default());
    })
    .await
}
