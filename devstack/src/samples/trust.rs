//! A signer, a market that it lists, and a signed event in a file, ready to be published by hand.

use std::path::PathBuf;

use ed25519_dalek::{SigningKey, VerifyingKey};
use serde_json::{Map, Value, json};
use shared_model::Timestamp;
use shared_runtime::Context;
use trust_svc::signers::{Signer, registry};

use crate::{client::Client, data_folder::DataFolder, error::StackError, sample_ids::TrustIds};

// Fixed, so that only the first start lists it.
const MARKET: &str = "mkt_00000000000000000000000000000001";
const READY: &str = "publish.json";

/// A signed event, ready to be sent to `publish`.
#[derive(Clone, Debug)]
pub struct ReadyBody {
    pub text: String,
    pub file: PathBuf,
    /// Finds the event in the log once it is published.
    pub event_hash: String,
}

// Derived from the key, because several stacks with different keys may share a database.
pub fn key_id(key: &VerifyingKey) -> String {
    let [a, b, c, d, ..] = key.to_bytes();
    format!("local-{:08x}", u32::from_be_bytes([a, b, c, d]))
}

/// Registers the signer of the sample events for all markets and kinds. A second call changes nothing.
pub async fn register(context: &Context, key: VerifyingKey) -> Result<(), StackError> {
    let now = context.clock.now();
    let key_id = key_id(&key).parse().map_err(|_| StackError::new("the signer's key id is not one"))?;
    let signer = Signer::new(key_id, key.try_into().map_err(StackError::new)?, now);
    // After the first start, the signer already exists and `add` changes nothing.
    context.write(move |conn| Ok(registry::add(conn, &signer)?)).await?;
    Ok(())
}

pub async fn make(client: &Client, base_url: &str, key: &SigningKey, now: Timestamp) -> Result<TrustIds, StackError> {
    let url = format!("{base_url}/wp-json/service-trust/v1/publish");
    let answer = client.post(&url, None, &body(MARKET, base_url, key, now)).await?;
    // Only the first start lists the market. Later ones get 409, for its revision or its state.
    if answer.status != 409 {
        answer.accepted("list the sample market")?;
    }
    Ok(TrustIds { market_id: Some(MARKET.to_owned()) })
}

/// Writes an event with a new market, so that it can be published once after each start.
pub fn write_ready_body(
    folder: &DataFolder,
    base_url: &str,
    key: &SigningKey,
    now: Timestamp,
) -> Result<ReadyBody, StackError> {
    let market = format!("mkt_{:032x}", rand::random::<u128>());
    let body = body(&market, base_url, key, now);
    let event_hash = body["event_hash"].as_str().unwrap_or_default().to_owned();
    let text = body.to_string();
    Ok(ReadyBody { file: folder.write(READY, &format!("{text}\n"))?, text, event_hash })
}

fn body(market_id: &str, base_url: &str, key: &SigningKey, now: Timestamp) -> Value {
    trust_svc::events::Publication::sign(&listing(market_id, now), key, &key_id(&key.verifying_key()), base_url)
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
