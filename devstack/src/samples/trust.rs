//! A signer, a market that it has listed, and an event that waits in a file to be published by hand.

use std::path::PathBuf;

use ed25519_dalek::{SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use shared_model::Timestamp;
use shared_runtime::Context;
use trust_svc::signers::{Signer, registry};

use crate::{client::Client, error::StackError, home::Home};

/// The market that the first start lists.
const MARKET: &str = "mkt_00000000000000000000000000000001";
const READY: &str = "publish.json";

/// A body that waits to be published.
#[derive(Clone, Debug)]
pub struct ReadyBody {
    /// The body itself.
    pub text: String,
    /// Its file.
    pub file: PathBuf,
    /// The hash of its event, by which it can be read when it is published.
    pub event_hash: String,
}

/// What there is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Ids {
    /// A listed market.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub market_id: Option<String>,
}

/// The key id under which a key is registered: each folder's key has its own, also when they share a database.
pub fn key_id(key: &VerifyingKey) -> String {
    let [a, b, c, d, ..] = key.to_bytes();
    format!("local-{:08x}", u32::from_be_bytes([a, b, c, d]))
}

/// Lets events signed by `key` in, whatever they say. Changes nothing the second time.
pub async fn register(context: &Context, key: VerifyingKey) -> Result<(), StackError> {
    let now = context.clock.now();
    let key_id = key_id(&key).parse().map_err(|_| StackError::new("the signer's key id is not one"))?;
    let signer = Signer::new(key_id, key.try_into().map_err(StackError::new)?, now);
    // It is there already after the first start.
    context.write(move |conn| Ok(registry::add(conn, &signer)?)).await?;
    Ok(())
}

/// Lists the sample market.
pub async fn make(client: &Client, base_url: &str, key: &SigningKey, now: Timestamp) -> Result<Ids, StackError> {
    let url = format!("{base_url}/wp-json/service-trust/v1/publish");
    let answer = client.post(&url, None, &body(MARKET, base_url, key, now)).await?;
    // A market is listed once, so after the first start this is a conflict, with its revision or with its state.
    if answer.status != 409 {
        answer.accepted("list the sample market")?;
    }
    Ok(Ids { market_id: Some(MARKET.to_owned()) })
}

/// Writes a body that can be published by hand: each start has a market of its own to list.
pub fn write_ready_body(
    home: &Home,
    base_url: &str,
    key: &SigningKey,
    now: Timestamp,
) -> Result<ReadyBody, StackError> {
    let market = format!("mkt_{:032x}", rand::random::<u128>());
    let body = body(&market, base_url, key, now);
    let event_hash = body["event_hash"].as_str().unwrap_or_default().to_owned();
    let text = body.to_string();
    Ok(ReadyBody { file: home.write(READY, &format!("{text}\n"))?, text, event_hash })
}

fn body(market_id: &str, base_url: &str, key: &SigningKey, now: Timestamp) -> Value {
    trust_svc::signing::signed_body(&listing(market_id, now), key, &key_id(&key.verifying_key()), base_url)
}

fn listing(market_id: &str, now: Timestamp) -> Map<String, Value> {
    let event = json!({
        "schema": "service/market-event/v1",
        "event_id": format!("evt_{:032x}", rand::random::<u128>()),
        "kind": "market.listed",
        "market_id": market_id,
        "revision": 1,
        "prev_event_hash": null,
        "issued_at": now,
        "data": {"title": "Will the next start be faster?", "outcomes": ["yes", "no"]},
    });
    match event {
        Value::Object(event) => event,
        _ => Map::new(),
    }
}
