//! Events are retried until published, while processes are killed. Each must be in the log once, at the position in its
//! receipt. No two checkpoints may contradict each other.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use anyhow::{Context as _, Result, anyhow, ensure};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use ed25519_dalek::SigningKey;
use futures_util::future::join_all;
use serde_json::{Map, Value, json};
use shared_runtime::Clock;
use shared_testing::{
    Caller, ServiceProcess,
    servers::{Redis, Servers},
};
use tokio::time::{Instant, sleep};
use trust_log::{
    canonical,
    merkle::{Frontier, Hash, leaf_hash},
    tlog::{
        Checkpoint, Policy, Receipt, SignedCheckpoint, Tile, VerifierKey, bundle, tile::Content, verify_checkpoint,
        verify_receipt,
    },
};
use trust_svc::events::Publication;

use super::{commands::pause, verdict::Verdict};
use crate::{binaries, service::unlimited};

const PUBLISHERS: u128 = 30;
const KEY_ID: &str = "soak";
const PUBLISH: &str = "/wp-json/service-trust/v1/publish";
const LOG: &str = "/wp-json/service-trust/v1/log";
// Pause of a publisher, so that the number of events depends on the time and not on the machine.
const PAUSE: Duration = Duration::from_millis(10);
// An event without an answer by then fails the soak.
const GIVEN_UP: Duration = Duration::from_secs(120);
/// Time for more than ten kills: one of them falls between a commit and its answer.
pub const SHORTEST: Duration = Duration::from_secs(60);

/// Results of the publishers.
#[derive(Default)]
struct Answered {
    /// Entry hashes by log position, from the receipts.
    places: BTreeMap<u64, Hash>,
    /// Receipts that name another event's position.
    collisions: u64,
    /// Root hashes by tree size, from all checkpoints read.
    roots: BTreeMap<u64, Hash>,
    /// Checkpoints of equal size with different roots.
    forks: u64,
    /// 409 `event_replayed` answers to repeated events.
    replays: u64,
    retries: u64,
}

impl Answered {
    fn saw(&mut self, checkpoint: &Checkpoint) {
        let root = *self.roots.entry(checkpoint.size()).or_insert(checkpoint.root());
        self.forks += u64::from(root != checkpoint.root());
    }
}

/// On PostgreSQL two processes publish to one log and one is killed; on SQLite the only process is killed.
pub async fn under_kills(postgres: Option<&str>, length: Duration, verdict: &mut Verdict) -> Result<()> {
    let ground = if postgres.is_some() { "PostgreSQL + Redis, two processes" } else { "SQLite" };
    let redis = Redis::start();
    let servers = postgres.map(|url| Servers { postgres: url.to_owned(), redis: redis.url.clone(), is_shared: true });
    let (program, limits) = (binaries::of("trust-svc")?, unlimited(&trust_svc::service()));
    let environment = [("RUST_LOG", "off"), ("RATE_LIMITS", limits.as_str())];
    let mut killed = ServiceProcess::on(program, trust_svc::service(), servers, &environment).await;
    let signer = Signer::registered(&killed)?;
    let lives = match postgres {
        Some(_) => Some(killed.beside(&environment).await),
        None => None,
    };
    let callers: Vec<_> = [Some(&killed), lives.as_ref()].into_iter().flatten().map(ServiceProcess::anyone).collect();
    let policy = policy(&callers[0]).await?;
    let answered = RefCell::new(Answered::default());

    let until = Instant::now() + length;
    let publishers =
        join_all((0..PUBLISHERS).map(|number| publisher(number, &callers, &signer, &policy, until, &answered)));
    let (published, watched, kills) =
        tokio::join!(publishers, watch(&callers, &policy, until, &answered), kill(&mut killed, &environment, until));
    published.into_iter().collect::<Result<()>>()?;
    watched?;

    let Answered { places, collisions, mut roots, forks, replays, retries } = answered.into_inner();
    Verdict::note(&format!(
        "{} events, {retries} retries, {replays} of them answered with the receipt of before, {kills} kills in {} s, {} \
         checkpoints seen (trust-svc, {ground})",
        places.len(),
        length.as_secs(),
        roots.len()
    ));
    let log = read(&callers[0], &policy).await?;
    let lost = places.iter().filter(|(index, leaf)| log.get(**index as usize) != Some(leaf)).count();
    verdict.at_most("events missing at their receipt's position", lost as f64, 0.0, "");
    verdict.at_most("receipts with another event's position", collisions as f64, 0.0, "");
    let distinct: HashSet<_> = log.iter().collect();
    verdict.at_most("duplicate entries in the log", (log.len() - distinct.len()) as f64, 0.0, "");
    // Minus one for the entry of the signer.
    verdict.at_most("entries without an answered event", log.len() as f64 - 1.0 - places.len() as f64, 0.0, "");
    let mut frontier = Frontier::default();
    let mut inconsistent = 0;
    for leaf in log {
        frontier.push(leaf)?;
        inconsistent += u64::from(roots.remove(&frontier.size()).is_some_and(|root| root != frontier.root()));
    }
    verdict.at_most("contradicting checkpoints", (forks + inconsistent + roots.len() as u64) as f64, 0.0, "");
    verdict.at_least("retries answered with the first receipt", replays, 1);
    Ok(())
}

struct Signer {
    key: SigningKey,
    base_url: String,
}

impl Signer {
    fn registered(process: &ServiceProcess) -> Result<Self> {
        let key = SigningKey::from_bytes(&[23; 32]);
        let public = BASE64_STANDARD.encode(key.verifying_key().as_bytes());
        let added = process.command(&["signer", "add", "--key-id", KEY_ID, "--public-key", &public]).output()?;
        ensure!(added.status.success(), "signer add: {}", String::from_utf8_lossy(&added.stderr));
        Ok(Self { key, base_url: format!("http://{}", process.address()) })
    }

    fn body(&self, number: u128) -> Value {
        let event = json!({
            "schema": "service/market-event/v1", "event_id": format!("evt_{number:032x}"), "kind": "market.listed",
            "market_id": format!("mkt_{number:032x}"), "revision": 1, "prev_event_hash": null,
            "issued_at": Clock::System.now(), "data": { "title": "Rain tomorrow" },
        });
        Publication::sign(event.as_object().unwrap_or(&Map::new()), &self.key, KEY_ID, &self.base_url)
    }
}

async fn policy(caller: &Caller) -> Result<Policy> {
    let key: VerifierKey = caller.get(format!("{LOG}/key")).await.status(200).body().trim_end().parse()?;
    Policy::new(key, Vec::new(), 0).map_err(|why| anyhow!(why))
}

async fn publisher(
    number: u128,
    callers: &[Caller],
    signer: &Signer,
    policy: &Policy,
    until: Instant,
    answered: &RefCell<Answered>,
) -> Result<()> {
    let mut turn = usize::try_from(number)?;
    for event in 0_u128.. {
        if Instant::now() >= until {
            break;
        }
        let body = signer.body(event * PUBLISHERS + number);
        let begun = Instant::now();
        turn += 1;
        let receipt = loop {
            match callers[turn % callers.len()].post(PUBLISH).json(body.clone()).send().await {
                Ok(answer) if answer.status == 200 => break answer["data"]["receipt"].clone(),
                Ok(answer) if answer.status == 409 => {
                    answered.borrow_mut().replays += 1;
                    break answer["error"]["next_action"]["receipt"].clone();
                }
                Ok(answer) => ensure!(answer.status == 503, "an event was refused: {answer}"),
                // The process was killed, maybe in the middle of this request: try again.
                Err(_) => {}
            }
            ensure!(begun.elapsed() < GIVEN_UP, "no answer for event {event} of publisher {number}");
            answered.borrow_mut().retries += 1;
            turn += 1;
            sleep(Duration::from_millis(50)).await;
        };
        let receipt = receipt.as_str().context("an answer without a receipt")?;
        let receipt = Receipt::parse(receipt.as_bytes())?;
        let entry = canonical::value_text(&body);
        let proven = verify_receipt(&receipt, entry.as_bytes(), policy)?;
        {
            let mut answered = answered.borrow_mut();
            answered.saw(proven.checkpoint);
            let before = answered.places.insert(proven.index, leaf_hash(entry.as_bytes()));
            answered.collisions += u64::from(before.is_some());
        }
        sleep(PAUSE).await;
    }
    Ok(())
}

/// Reads the checkpoint repeatedly, from each process in turn.
async fn watch(callers: &[Caller], policy: &Policy, until: Instant, answered: &RefCell<Answered>) -> Result<()> {
    for turn in 0.. {
        if Instant::now() >= until {
            break;
        }
        if let Ok(answer) = callers[turn % callers.len()].get(format!("{LOG}/checkpoint")).send().await
            && answer.status == 200
        {
            let signed = SignedCheckpoint::parse(answer.body().as_bytes())?;
            verify_checkpoint(&signed, policy)?;
            answered.borrow_mut().saw(signed.checkpoint());
        }
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Kills the process every few seconds. Returns how often.
async fn kill(process: &mut ServiceProcess, environment: &[(&'static str, &str)], until: Instant) -> u32 {
    let mut count = 0;
    while Instant::now() < until {
        sleep(pause()).await;
        process.kill();
        process.start(environment).await;
        count += 1;
    }
    count
}

/// Reads the hashes of all entries through the public API.
async fn read(caller: &Caller, policy: &Policy) -> Result<Vec<Hash>> {
    let text = caller.get(format!("{LOG}/checkpoint")).await.status(200).body();
    let signed = SignedCheckpoint::parse(text.as_bytes())?;
    verify_checkpoint(&signed, policy)?;
    let size = signed.checkpoint().size();
    let mut leaves = Vec::new();
    for index in 0.. {
        let Some(tile) = Tile::at(Content::Entries, index, size) else { break };
        let answer = caller.get(format!("{LOG}/{tile}")).await.status(200);
        leaves.extend(bundle::decode(answer.bytes(), tile.width())?.into_iter().map(leaf_hash));
    }
    ensure!(leaves.len() as u64 == size, "the checkpoint has {size} entries, the log {}", leaves.len());
    Ok(leaves)
}
