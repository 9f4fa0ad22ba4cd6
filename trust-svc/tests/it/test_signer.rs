//! Signers that publish events, and the events of their markets.

use std::future::IntoFuture as _;

use ed25519_dalek::SigningKey;
use serde_json::{Value, json};
use shared_model::Timestamp;
use shared_testing::{Caller, Request, Response, Stage, Text as _};
use trust_svc::{
    events::Publication,
    model::EventHash,
    signers::{Signer, registry},
};

/// The path to publish to.
pub const PUBLISH: &str = "/wp-json/service-trust/v1/publish";

/// A signer with its key.
pub struct TestSigner {
    pub key_id: String,
    pub key: SigningKey,
    base_url: String,
    caller: Caller,
}

impl TestSigner {
    /// A registered signer with the default policy.
    pub async fn registered(stage: &Stage, key_id: &str) -> Self {
        Self::with(stage, key_id, |_| ()).await
    }

    /// A registered signer, modified by `change`.
    pub async fn with(stage: &Stage, key_id: &str, change: impl FnOnce(&mut Signer)) -> Self {
        let test_signer = Self::unregistered(stage, key_id);
        let key = test_signer.key.verifying_key().try_into().expect("a strong key");
        let mut signer = Signer::new(key_id.parse().expect("a key id"), key, stage.now());
        change(&mut signer);
        let added = stage.context.write(move |conn| Ok(registry::add(conn, &signer)?)).await;
        assert!(added.expect("the database is there"), "{key_id} is taken");
        test_signer
    }

    /// A signer that the service does not know. Its key is derived from the key id.
    pub fn unregistered(stage: &Stage, key_id: &str) -> Self {
        let mut seed = [0; 32];
        seed[..key_id.len()].copy_from_slice(key_id.as_bytes());
        let key = SigningKey::from_bytes(&seed);
        Self { key_id: key_id.to_owned(), key, base_url: stage.base_url().to_owned(), caller: stage.anyone() }
    }

    /// The signed body.
    pub fn sign(&self, event: &Value) -> Value {
        self.sign_for(&self.base_url, event)
    }

    /// The body, signed for another service.
    pub fn sign_for(&self, base_url: &str, event: &Value) -> Value {
        Publication::sign(event.as_object().expect("an event"), &self.key, &self.key_id, base_url)
    }

    /// A request that publishes the event.
    pub fn publish(&self, event: &Value) -> Request {
        self.send(self.sign(event))
    }

    /// A request with this body.
    pub fn send(&self, body: Value) -> Request {
        self.caller.post(PUBLISH).json(body)
    }
}

/// The id of a market.
pub fn market_id(number: u32) -> String {
    format!("mkt_{number:032x}")
}

pub fn hash(event: &Value) -> String {
    EventHash::from_event(event.as_object().expect("an event")).to_string()
}

/// The first event of a market; the market's id is made from this number.
pub fn listed(number: u32, now: Timestamp) -> Value {
    json!({
        "schema": "service/market-event/v1",
        "event_id": format!("evt_{number:032x}"),
        "kind": "market.listed",
        "market_id": market_id(number),
        "revision": 1,
        "prev_event_hash": null,
        "issued_at": now,
        "data": { "title": "Rain tomorrow", "odds": [1.5, 2.25] },
        "venue": "an extra member, signed like the rest",
    })
}

/// An event that follows another; its id is made from both.
pub fn next(event: &Value, kind: &str, now: Timestamp) -> Value {
    let mut next = event.clone();
    let prev = hash(event);
    let id = hash(&json!({ "prev": prev, "kind": kind }));
    next["event_id"] = json!(format!("evt_{}", &id[7..39]));
    next["kind"] = json!(kind);
    next["revision"] = json!(event["revision"].as_i64().expect("a revision") + 1);
    next["prev_event_hash"] = json!(prev);
    next["issued_at"] = json!(now);
    next
}

/// The event with another value of a member.
pub fn but(event: &Value, member: &str, value: impl Into<Value>) -> Value {
    let mut event = event.clone();
    event[member] = value.into();
    event
}

/// The path of an absolute URL of the service.
pub fn path(stage: &Stage, href: &Value) -> String {
    let path = href.text().strip_prefix(stage.base_url());
    path.unwrap_or_else(|| panic!("{href} is no link of {}", stage.base_url())).to_owned()
}

/// Publishes all of these at once; returns the answers in their order.
pub async fn in_parallel(signer: &TestSigner, events: Vec<Value>) -> Vec<Response> {
    let sent: Vec<_> = events.iter().map(|event| actix_web::rt::spawn(signer.publish(event).into_future())).collect();
    let mut responses = Vec::new();
    for sent in sent {
        responses.push(sent.await.expect("an answer"));
    }
    responses
}
