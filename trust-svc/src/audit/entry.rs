//! Checks one entry of a log: its form, its hash and its signature.

use std::collections::HashMap;

use serde_json::Value;
use shared_model::{json, json_reader};
use shared_runtime::PublicKey;
use trust_log::canonical;

use crate::{
    events::{Publication, publication::SignatureFlaw},
    model::KeyId,
};

#[derive(Clone, Debug)]
pub struct Signers {
    pub base_url: String,
    pub keys: HashMap<KeyId, PublicKey>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A signed event with a valid hash and a valid signature.
    Event,
    /// Another entry. Only its place in the tree is checked.
    Other,
}

/// `Err` says what is wrong with the entry.
pub fn check(entry: &[u8], signers: &Signers) -> Result<EntryKind, String> {
    let Ok(body) = json::parse_object(entry) else { return Ok(EntryKind::Other) };
    let canonical = canonical::object_text(&body);
    let Ok(publication) = json_reader::read::<Publication>(&Value::Object(body)) else { return Ok(EntryKind::Other) };
    // The signature covers the event only. In another form the rest of the entry could have been changed.
    if canonical.as_bytes() != entry {
        return Err("must be canonical JSON (RFC 8785)".to_owned());
    }
    let Publication { event_hash, signer_key_id, .. } = &publication;
    let key = signers.keys.get(signer_key_id);
    let key = key.ok_or_else(|| format!("is signed by {signer_key_id}, which is not a signer"))?;
    match publication.verify(key, &signers.base_url) {
        Ok(()) => Ok(EntryKind::Event),
        Err(SignatureFlaw::OtherHash(hash)) => Err(format!("has an event whose hash is {hash}, not {event_hash}")),
        Err(SignatureFlaw::Missing) => Err("has an event without a signature".to_owned()),
        Err(SignatureFlaw::Invalid { .. }) => {
            Err(format!("must have the signature of {signer_key_id} over its event, for {}", signers.base_url))
        }
    }
}
