//! Public keys, as `GET /v1/receipts/keys` publishes them.

use std::collections::HashMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ed25519_dalek::VerifyingKey;
use serde_json::Value;
use shared_model::json;

use crate::key_id::key_id;

/// The keys that a verifier trusts, by their names.
#[derive(Clone, Debug, Default)]
pub struct Keys(HashMap<String, VerifyingKey>);

impl Keys {
    /// Reads `{"keys": [{"key_id", "public_key"}]}`. The error says which rule is broken.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let object = json::parse_object(text).map_err(|json::MalformedJson(rule)| rule)?;
        let listed = object.get("keys").and_then(Value::as_array).ok_or("must have a list of keys")?;
        let keys = listed.iter().enumerate().map(|(at, key)| {
            read(key).map_err(|rule| format!("/keys/{at} {rule}")).map(|key| (key_id(key.as_bytes()), key))
        });
        let keys = keys.collect::<Result<HashMap<_, _>, _>>()?;
        if keys.is_empty() { Err("must have at least one key".to_owned()) } else { Ok(Self(keys)) }
    }

    pub(crate) fn get(&self, key_id: &str) -> Option<&VerifyingKey> {
        self.0.get(key_id)
    }
}

fn read(entry: &Value) -> Result<VerifyingKey, &'static str> {
    let text = entry["public_key"].as_str().ok_or("must have a public_key")?;
    let bytes = BASE64_STANDARD.decode(text).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    let bytes = bytes.ok_or("must have the base64 of 32 bytes as public_key")?;
    let key = VerifyingKey::from_bytes(&bytes).map_err(|_| "must have an Ed25519 key as public_key")?;
    // Under a weak key (a point of small order) anybody can make a valid signature.
    if key.is_weak() {
        return Err("must not have a weak key");
    }
    // A damaged file of keys would otherwise look like a damaged chain.
    if entry["key_id"].as_str().is_some_and(|name| name != key_id(&bytes)) {
        return Err("has a key_id that is not the name of its public_key");
    }
    Ok(key)
}
