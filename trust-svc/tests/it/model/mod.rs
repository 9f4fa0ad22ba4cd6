//! Random histories of markets. Signers publish events, an operator registers and revokes signers, anyone reads.
//! Meanwhile the service is killed and answers are lost. A model says which answers are possible; see
//! [`shared_testing::histories`].

mod judge;
mod log_reads;

use std::collections::BTreeMap;

use ed25519_dalek::SigningKey;
use serde_json::{Value, json};
use shared_runtime::{Clock, PublicKey};
use shared_testing::{
    Caller, ServiceProcess,
    histories::{self, Command, Coverage, Dice, Expected, Ground, Model, Seen},
};
use trust_svc::{events::Publication, service};

use self::{
    judge::LogJudge,
    log_reads::{audit, checkpoint, first_tile, key_of_log, prove_consistency, prove_inclusion, whole},
};
use crate::test_signer::{PUBLISH, but, hash, listed, market_id, next};

const PROGRAM: &str = env!("CARGO_BIN_EXE_trust-svc");
/// One URL for both processes: a signature is for one service.
const BASE_URL: &str = "https://trust.example";
const SETTINGS: &[(&str, &str)] =
    &[("RUST_LOG", "off"), ("RATE_LIMITS", "publish=1000000,signer=1000000,read=1000000"), ("BASE_URL", BASE_URL)];
const LENGTH: usize = 200;
const PREFIX: &str = "/wp-json/service-trust/v1";

type Refused = Vec<&'static str>;
type Generator = fn(&mut Turn<'_>) -> Option<Command<Trust>>;

#[rustfmt::skip]
const GENERATORS: &[(&str, u64, Generator)] = &[
    ("publish_event", 40, publish),
    ("read_event", 12, |turn| Some(read_event(turn.event()?))),
    ("read_event", 4, |turn| Some(verify_receipt(turn.event()?))),
    ("read_market", 10, |turn| Some(read_market(turn.market(), 1 + turn.dice.below(100)))),
    ("list_signers", 3, |_| Some(list_signers())),
    ("read_checkpoint", 6, |_| Some(checkpoint())),
    ("prove_inclusion", 3, prove_inclusion),
    ("prove_consistency", 2, prove_consistency),
    ("read_tile", 2, |_| Some(first_tile())),
    ("read_log_key", 1, |_| Some(key_of_log())),
    ("read_audit", 1, |_| Some(audit())),
    ("read_openapi", 1, |_| Some(anywhere("read_openapi", "/openapi.json"))),
    ("read_protected_resource", 1, |_| Some(anywhere("read_protected_resource", "/.well-known/oauth-protected-resource"))),
    ("read_mcp_protected_resource", 1, |_| {
        Some(anywhere("read_mcp_protected_resource", "/.well-known/oauth-protected-resource/mcp"))
    }),
];

/// What the operator does.
const OPERATOR: &[(u64, Generator)] = &[(2, register), (1, revoke)];

/// Each as often as it is to come: a market that has ended takes no event.
const KINDS: [&str; 9] =
    ["updated", "updated", "updated", "suspended", "suspended", "resumed", "resumed", "resolved", "withdrawn"];
const MARKETS: u32 = 12;

/// The state of a market after an event, if the market takes it.
fn after(state: Option<&str>, kind: &str) -> Option<&'static str> {
    match (state, kind) {
        (None, "market.listed") | (Some("listed"), "market.updated") | (Some("suspended"), "market.resumed") => {
            Some("listed")
        }
        (Some("listed"), "market.suspended") => Some("suspended"),
        (Some("listed" | "suspended"), "market.resolved") => Some("resolved"),
        (Some("listed" | "suspended"), "market.withdrawn") => Some("withdrawn"),
        _ => None,
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Trust {
    /// In the order of the log.
    events: Vec<Event>,
    /// Key ids with whether they are revoked, oldest first.
    signers: Vec<(String, bool)>,
    judge: LogJudge,
}

#[derive(Clone, Debug, PartialEq)]
struct Event {
    body: Value,
    /// The body with its signature: the entry of the log.
    sent: Value,
    hash: String,
    state: &'static str,
    signer: String,
    /// In the log, which also has each change of a signer.
    index: usize,
}

impl Event {
    fn is_of(&self, market: &str) -> bool {
        self.body["market_id"] == market
    }

    fn record(&self) -> Value {
        json!({
            "event_id": self.body["event_id"], "event_hash": self.hash, "revision": self.body["revision"],
            "state": self.state,
        })
    }
}

impl Trust {
    fn entries(&self) -> usize {
        self.events.len() + self.signers.len() + self.signers.iter().filter(|(_, is_revoked)| *is_revoked).count()
    }

    fn chain<'a>(&'a self, market: &'a str) -> impl DoubleEndedIterator<Item = &'a Event> {
        self.events.iter().filter(move |event| event.is_of(market))
    }

    fn refusals(&self, body: &Value, hash: &str, signer: &str, is_forged: bool) -> Result<&'static str, Refused> {
        let known = self.signers.iter().find(|(key_id, _)| key_id == signer);
        let Some((_, is_revoked)) = known else { return Err(vec!["unknown_signer"]) };
        if is_forged {
            return Err(vec!["signature_invalid"]);
        }
        if self.events.iter().any(|event| event.hash == hash) {
            return Err(vec!["event_replayed"]);
        }
        if *is_revoked {
            return Err(vec!["signer_not_active"]);
        }
        if self.events.iter().any(|event| event.body["event_id"] == body["event_id"]) {
            return Err(vec!["event_id_conflict"]);
        }
        let market = body["market_id"].as_str().expect("an id");
        let latest = self.chain(market).next_back();
        let revision = latest.map_or(0, |event| event.body["revision"].as_i64().expect("a revision"));
        let follows =
            body["revision"] == revision + 1 && body["prev_event_hash"] == json!(latest.map(|event| &event.hash));
        let next = after(latest.map(|event| event.state), body["kind"].as_str().expect("a kind"));
        match (follows, next) {
            (true, Some(state)) => Ok(state),
            (true, None) => Err(vec!["market_state_conflict"]),
            (false, _) => Err(vec!["revision_conflict", "market_state_conflict"]),
        }
    }
}

struct Turn<'a> {
    trust: &'a Trust,
    dice: &'a mut Dice,
    n: &'a str,
}

impl Turn<'_> {
    fn event(&mut self) -> Option<Event> {
        self.dice.pick(&self.trust.events, |event| &event.hash).cloned()
    }

    fn market(&mut self) -> String {
        market_id(u32::try_from(self.dice.below(MARKETS.into())).expect("a number"))
    }

    fn signer(&mut self) -> String {
        let active = self.trust.signers.iter().filter(|(_, is_revoked)| !is_revoked);
        let active = if self.dice.percent(90) { self.dice.pick(active, |(key_id, _)| key_id) } else { None };
        let any = active.or_else(|| self.dice.pick(&self.trust.signers, |(key_id, _)| key_id));
        any.filter(|_| self.dice.percent(97)).map_or_else(|| "nobody".to_owned(), |(key_id, _)| key_id.clone())
    }

    /// Mostly what may follow; sometimes what was published before, or follows what is not the latest any more.
    fn body(&mut self) -> Value {
        let now = Clock::System.now();
        let market = self.market();
        let all: Vec<&Event> = self.trust.chain(&market).collect();
        let earlier =
            if self.dice.percent(20) { self.dice.pick(all.iter().copied(), |event| &event.hash) } else { None };
        let Some(base) = earlier.or(all.last().copied()) else {
            let first = but(&listed(0, now), "market_id", market);
            return but(&first, "event_id", format!("evt_{:0>32}", self.n));
        };
        if self.dice.percent(10) {
            return base.body.clone();
        }
        let kinds: Vec<&str> =
            KINDS.into_iter().filter(|kind| after(Some(base.state), &format!("market.{kind}")).is_some()).collect();
        let is_fitting = self.dice.percent(85) && !kinds.is_empty();
        let kind = if is_fitting { self.dice.of_these(&kinds) } else { self.dice.of_these(&KINDS) };
        let event = next(&base.body, &format!("market.{kind}"), now);
        let id =
            if self.dice.percent(5) { base.body["event_id"].clone() } else { json!(format!("evt_{:0>32}", self.n)) };
        but(&event, "event_id", id)
    }
}

fn key(key_id: &str) -> SigningKey {
    let mut seed = [7; 32];
    seed.iter_mut().zip(key_id.bytes()).for_each(|(seed, byte)| *seed = byte);
    SigningKey::from_bytes(&seed)
}

fn publish(turn: &mut Turn<'_>) -> Option<Command<Trust>> {
    let (body, signer, is_forged) = (turn.body(), turn.signer(), turn.dice.percent(3));
    let signed_by = if is_forged { key("another") } else { key(&signer) };
    let sent = Publication::sign(body.as_object().expect("an event"), &signed_by, &signer, BASE_URL);
    let hash = hash(&body);
    let mut command = Command::new("publish_event", "anyone", "POST", PUBLISH.to_owned());
    command.body = Some(sent.clone());
    Some(command.does(move |trust: &mut Trust, seen| {
        let state = match trust.refusals(&body, &hash, &signer, is_forged) {
            Ok(state) => state,
            Err(refused) => {
                trust.check_replay(&hash, seen)?;
                return Err(refused);
            }
        };
        let index = trust.entries();
        trust.check_receipt(&sent, index, seen)?;
        let (body, sent, hash) = (body.clone(), sent.clone(), hash.clone());
        let event = Event { body, sent, hash, state, signer: signer.clone(), index };
        let mut record = event.record();
        (record["market_id"], record["log"]) = (event.body["market_id"].clone(), json!({"index": index}));
        trust.events.push(event);
        Ok::<_, Refused>(json!({"data": record}))
    }))
}

impl Trust {
    /// A success has the receipt of the event at this place.
    fn check_receipt(&mut self, sent: &Value, index: usize, seen: Seen<'_>) -> Result<(), Refused> {
        let data = seen.answer.map_or(&Value::Null, |answer| &answer["data"]);
        if !data.is_object() {
            return Ok(());
        }
        self.judge.receipt(&data["receipt"], sent, index)?;
        self.judge.root(&data["log"]["tree_size"], &data["log"]["root_hash"])
    }

    /// An event that was sent before is refused with the receipt of then.
    fn check_replay(&mut self, hash: &str, seen: Seen<'_>) -> Result<(), Refused> {
        let found = self.events.iter().find(|event| event.hash == hash);
        match (found, seen.answer) {
            (Some(event), Some(answer)) if seen.is_refused("event_replayed") => {
                self.judge.receipt(&answer["error"]["next_action"]["receipt"], &event.sent, event.index)
            }
            _ => Ok(()),
        }
    }
}

fn read_event(event: Event) -> Command<Trust> {
    let command = Command::get("read_event", "anyone", format!("{PREFIX}/events/{}", event.hash));
    command.tool("read_event", json!({"event_hash": event.hash})).does(move |trust: &mut Trust, seen| {
        let found = trust.events.iter().find(|other| other.hash == event.hash).ok_or_else(|| vec!["not_found"])?;
        let (found, mut record) = (found.clone(), found.record());
        trust.check_receipt(&found.sent, found.index, seen)?;
        (record["event"], record["signer_key_id"]) = (found.body, json!(found.signer));
        record["signature"] = found.sent["signature"].clone();
        Ok::<_, Refused>(json!({"data": record}))
    })
}

fn verify_receipt(event: Event) -> Command<Trust> {
    let command = Command::get("read_event", "anyone", format!("{PREFIX}/events/{}", event.hash));
    let arguments = json!({"event_hash": event.hash});
    command.only_tool("verify_receipt", arguments).does(move |trust: &mut Trust, _| {
        let found = trust.events.iter().find(|other| other.hash == event.hash).ok_or_else(|| vec!["not_found"])?;
        Ok::<_, Refused>(json!({"data": {"event_hash": found.hash, "verified": true, "index": found.index}}))
    })
}

fn read_market(market: String, limit: u64) -> Command<Trust> {
    let command = Command::get("read_market", "anyone", format!("{PREFIX}/markets/{market}?limit={limit}"));
    command.tool("read_market", json!({"market_id": market, "limit": limit})).does(move |trust: &mut Trust, _| {
        let latest = trust.chain(&market).next_back().ok_or_else(|| vec!["not_found"])?;
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let item = |event: &Event| {
            let mut item = event.record();
            (item["signer_key_id"], item["log_index"]) = (json!(event.signer), json!(event.index));
            item
        };
        let has_more = trust.chain(&market).count() > most;
        let events: Vec<Value> = trust.chain(&market).take(most).map(item).collect();
        let (revision, state) = (&latest.body["revision"], latest.state);
        let data = json!({"revision": revision, "state": state, "event_hash": latest.hash, "events": events});
        let cursor = if has_more { json!("*") } else { Value::Null };
        Ok::<_, Refused>(json!({"data": data, "meta": {"next_cursor": cursor}}))
    })
}

fn list_signers() -> Command<Trust> {
    Command::get("list_signers", "anyone", format!("{PREFIX}/signers?limit=100")).does(|trust: &mut Trust, _| {
        let item = |(key_id, is_revoked): &(String, bool)| {
            let revoked_at = if *is_revoked { json!("*") } else { Value::Null };
            json!({"key_id": key_id, "revoked_at": revoked_at})
        };
        let items: Vec<Value> = trust.signers.iter().rev().map(item).collect();
        Expected::success(json!({"data": items}))
    })
}

fn anywhere(operation: &'static str, path: &str) -> Command<Trust> {
    Command::get(operation, "anyone", path).does(|_: &mut Trust, _| Expected::success(json!("*")))
}

fn register(turn: &mut Turn<'_>) -> Option<Command<Trust>> {
    if turn.trust.signers.len() > 8 {
        return None;
    }
    let key_id = format!("desk-{}", turn.n);
    let known = if turn.dice.percent(20) { turn.dice.pick(&turn.trust.signers, |(known, _)| known) } else { None };
    let has_known_key = known.is_some();
    let owner = known.map_or(key_id.as_str(), |(known, _)| known.as_str());
    let public = PublicKey::try_from(key(owner).verifying_key()).expect("a strong key").to_string();
    let command = Command::operator("register", &["signer", "add", "--key-id", &key_id, "--public-key", &public]);
    Some(command.does(move |trust: &mut Trust, _| {
        if has_known_key {
            return Expected::refused("refused");
        }
        trust.signers.push((key_id.clone(), false));
        Expected::success(json!("*"))
    }))
}

fn revoke(turn: &mut Turn<'_>) -> Option<Command<Trust>> {
    let active: Vec<_> = turn.trust.signers.iter().filter(|(_, is_revoked)| !is_revoked).collect();
    // The last one goes on, else nothing more happens.
    let key_id = turn.dice.pick(active.iter().skip(1), |(key_id, _)| key_id)?.0.clone();
    Some(Command::operator("revoke", &["signer", "revoke", &key_id]).does(move |trust: &mut Trust, _| {
        let signer = trust.signers.iter_mut().find(|(known, _)| *known == key_id);
        signer.ok_or_else(|| vec!["refused"])?.1 = true;
        Ok::<_, Refused>(json!("*"))
    }))
}

/// Computes the whole log again from its entries.
fn self_check() -> Command<Trust> {
    Command::operator("self-check", &["self-check"]).does(|_: &mut Trust, _| Expected::success(json!("*")))
}

impl Model for Trust {
    fn command(&self, dice: &mut Dice, number: &str) -> Option<Command<Self>> {
        let all = GENERATORS.iter().map(|(_, weight, make)| (*weight, *make)).chain(OPERATOR.iter().copied());
        histories::choose(dice, all, |dice, make| make(&mut Turn { trust: self, dice, n: number }))
    }

    fn ending(&self, phase: u32) -> Option<Vec<Command<Self>>> {
        let markets = || (0..MARKETS).map(|number| read_market(market_id(number), 100));
        match phase {
            0 => {
                let events = self.events.iter().map(|event| read_event(event.clone()));
                Some(events.chain(markets()).chain([list_signers(), checkpoint(), self_check()]).collect())
            }
            1 => Some(whole(self)),
            _ => None,
        }
    }

    fn tells(&self) -> Command<Self> {
        checkpoint()
    }

    // A publisher sends its event again, and gets the receipt.
    fn look_up(&self, _: &Command<Self>) -> Option<Command<Self>> {
        None
    }
}

fn cast(process: &ServiceProcess) -> BTreeMap<&'static str, Caller> {
    [("anyone", process.anyone())].into()
}

async fn ground(_: u64) -> (Ground, Trust) {
    let ground = Ground::new(PROGRAM, service(), SETTINGS, cast).await;
    let signers = ["desk-a", "desk-b"].map(|key_id| {
        let public = PublicKey::try_from(key(key_id).verifying_key()).expect("a strong key").to_string();
        let words = ["signer", "add", "--key-id", key_id, "--public-key", &public];
        assert!(ground.process().command(&words).output().expect("the command runs").status.success());
        (key_id.to_owned(), false)
    });
    let key = ground.process().anyone().get(format!("{PREFIX}/log/key")).await.status(200).body();
    (ground, Trust { events: Vec::new(), signers: signers.into(), judge: LogJudge::new(key) })
}

fn coverage() -> Coverage {
    Coverage {
        operations: GENERATORS.iter().map(|(operation, _, _)| *operation).collect(),
        elsewhere: &[("send_mcp_message", "every command that a tool makes is sent there, too")],
        never: &[],
        tools: &["read_event", "read_market", "verify_receipt"],
        tools_elsewhere: &[],
    }
}

#[shared_testing::test]
async fn no_history_has_an_answer_that_the_model_does_not_know() {
    histories::look(&coverage(), (4, LENGTH), ground).await;
}

#[test]
fn every_operation_and_tool_is_in_the_histories() {
    histories::compare(&service(), &coverage());
}
