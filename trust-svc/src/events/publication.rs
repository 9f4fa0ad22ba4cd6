//! A signed event as it is sent: its form, the text under its signature, its entry in the log.

use base64::{Engine, prelude::BASE64_STANDARD};
use ed25519_dalek::{Signature, Signer as _, SigningKey};
use serde_json::{Map, Value, json};
use shared_model::{FromJson, JsonReader};
use shared_runtime::PublicKey;
use trust_log::canonical;
use utoipa::ToSchema;

use crate::model::{self, Event, EventHash, KeyId};

/// A signed event as it is sent.
#[derive(Clone, Debug, ToSchema)]
pub struct Publication {
    /// The event. Every number in it must be within ±(2^53 - 1).
    #[schema(value_type = Event)]
    pub event: Map<String, Value>,
    /// `sha256:` + the SHA-256 of the event's canonical JSON (RFC 8785).
    pub event_hash: EventHash,
    /// The key id of the signer.
    pub signer_key_id: KeyId,
    /// Padded base64 of the Ed25519 signature over the text `service-trust/publish/v1\n{base
    /// url}\n{signer_key_id}\n{event_hash}\n`. If absent: 401, as for any missing credential.
    #[schema(value_type = String, pattern = "^[A-Za-z0-9+/]{85}[AQgw]==$", required, example = example_signature)]
    pub signature: Option<Signature>,
}

/// Why a publication does not prove who signed its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureFlaw {
    /// The event has this hash, not the stated one.
    OtherHash(EventHash),
    Missing,
    /// The signature is not by the key over this text.
    Invalid {
        signed_text: String,
    },
}

impl FromJson for Publication {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let event = object.required("event", |reader| {
                let numbers = reader.open_object(|_| model::check_numbers(reader));
                reader.value().as_object().cloned().filter(|_| numbers.is_some())
            });
            let event_hash = object.required("event_hash", EventHash::from_json);
            let signer_key_id = object.required("signer_key_id", KeyId::from_json);
            let signature = object.optional("signature", read_signature);
            match (event, event_hash, signer_key_id, signature) {
                (Some(event), Some(event_hash), Some(signer_key_id), Some(signature)) => {
                    Some(Self { event, event_hash, signer_key_id, signature })
                }
                // Among other problems of form, the missing signature is one more problem. Alone it is a missing
                // credential (401).
                (_, _, _, Some(None)) => object.refuse("must have the member \"signature\""),
                _ => None,
            }
        })
    }
}

impl Publication {
    /// A request body, ready to publish: the event, signed for the service at `base_url`.
    pub fn sign(event: &Map<String, Value>, key: &SigningKey, key_id: &str, base_url: &str) -> Value {
        let event_hash = EventHash::from_event(event);
        let signature = key.sign(signed_text(base_url, key_id, &event_hash).as_bytes());
        json!({
            "event": event,
            "event_hash": event_hash,
            "signer_key_id": key_id,
            "signature": BASE64_STANDARD.encode(signature.to_bytes()),
        })
    }

    /// Checks the hash of the event, and the signature by `key` for the service at `base_url`.
    pub fn verify(&self, key: &PublicKey, base_url: &str) -> Result<(), SignatureFlaw> {
        let hash = EventHash::from_event(&self.event);
        if hash != self.event_hash {
            return Err(SignatureFlaw::OtherHash(hash));
        }
        self.verify_signature(key, base_url)
    }

    /// Checks only the signature. The caller has compared the hash of the event already.
    pub fn verify_signature(&self, key: &PublicKey, base_url: &str) -> Result<(), SignatureFlaw> {
        let signature = self.signature.ok_or(SignatureFlaw::Missing)?;
        let text = signed_text(base_url, self.signer_key_id.as_str(), &self.event_hash);
        // Strict: the lax check of RFC 8032 accepts several encodings of one signature.
        match key.verifying_key().verify_strict(text.as_bytes(), &signature) {
            Ok(()) => Ok(()),
            Err(_) => Err(SignatureFlaw::Invalid { signed_text: text }),
        }
    }
}

/// The log's entry: the canonical JSON of a whole body, made from the canonical JSON of its event.
pub fn log_entry(canonical_event: &str, hash: &EventHash, signer_key_id: &KeyId, signature: &Signature) -> String {
    // The members are in the order of RFC 8785. Hash and base64 need no escapes; a key id may have quotes and
    // backslashes. Writing the event's text again would cost as much as hashing it.
    let signature = BASE64_STANDARD.encode(signature.to_bytes());
    let signer_key_id = canonical::value_text(&Value::from(signer_key_id.as_str()));
    format!(
        r#"{{"event":{canonical_event},"event_hash":"{hash}","signature":"{signature}","signer_key_id":{signer_key_id}}}"#
    )
}

/// The ASCII text under a signature: purpose, service, signer, event. The signature is worthless for any other service
/// or signer.
pub fn signed_text(base_url: &str, signer_key_id: &str, event_hash: &EventHash) -> String {
    format!("service-trust/publish/v1\n{base_url}\n{signer_key_id}\n{event_hash}\n")
}

/// Reads the padded base64 of 64 bytes.
pub fn read_signature(reader: &JsonReader<'_>) -> Option<Signature> {
    let text = reader.str()?;
    match BASE64_STANDARD.decode(text).ok().and_then(|bytes| <[u8; 64]>::try_from(bytes).ok()) {
        Some(bytes) if text.len() == 88 => Some(Signature::from_bytes(&bytes)),
        _ => reader.refuse("must be 64 bytes in padded base64: 88 characters"),
    }
}

pub fn example_signature() -> &'static str {
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODkrLw=="
}
