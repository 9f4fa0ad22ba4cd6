//! One entry of a log: what it says, and whose signature it has.

use std::collections::HashMap;

use serde_json::Value;
use shared_model::{json, json_reader};
use shared_runtime::PublicKey;

use crate::{
    canonical::{self, EventHash},
    events::publish::Publication,
    signers::KeyId,
    signing,
};

/// The keys that events are signed with, and the service that the signatures are bound to.
#[derive(Clone, Debug)]
pub struct Signers {
    /// The base URL of the service.
    pub base_url: String,
    /// The key of each key id.
    pub keys: HashMap<KeyId, PublicKey>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A signed event whose hash and signature hold.
    Event,
    /// Something else, of which nothing but its place in the tree is checked.
    Other,
}

/// Checks what an entry says; an error is what is wrong with it.
pub fn check(entry: &[u8], signers: &Signers) -> Result<Kind, String> {
    let Ok(body) = json::parse_object(entry) else { return Ok(Kind::Other) };
    let canonical = canonical::text(&body);
    let Ok(publication) = json_reader::read::<Publication>(&Value::Object(body)) else { return Ok(Kind::Other) };
    if canonical.as_bytes() != entry {
        return Err("must be canonical JSON (RFC 8785)".to_owned());
    }
    let Publication { event, event_hash, signer_key_id, signature } = publication;
    let hash = EventHash::of(&canonical::text(&event));
    if hash != event_hash {
        return Err(format!("has an event whose hash is {hash}, not {event_hash}"));
    }
    let signature = signature.ok_or("has an event without a signature")?;
    let key =
        signers.keys.get(&signer_key_id).ok_or_else(|| format!("is signed by {signer_key_id}, who is no signer"))?;
    let text = signing::text(&signers.base_url, signer_key_id.as_str(), &hash);
    if !signing::is_valid(key, &text, &signature) {
        let base_url = &signers.base_url;
        return Err(format!("must have the signature of {signer_key_id} over its event, for {base_url}"));
    }
    Ok(Kind::Event)
}
