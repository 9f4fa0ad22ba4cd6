//! What a signer signs, and how a signature is checked (Ed25519, RFC 8032, strict).

use base64::{Engine, prelude::BASE64_STANDARD};
use ed25519_dalek::{Signature, Signer as _, SigningKey};
use serde_json::{Map, Value, json};
use shared_model::JsonReader;
use shared_runtime::PublicKey;

use crate::{
    canonical::{self, EventHash},
    signers::KeyId,
};

/// The signature that the OpenAPI document shows.
pub fn example() -> &'static str {
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODkrLw=="
}

/// The ASCII text under a signature: the purpose, this service, the signer, the event. No part can be moved to another
/// service or signer without breaking the signature.
pub fn text(base_url: &str, signer_key_id: &str, event_hash: &EventHash) -> String {
    format!("service-trust/publish/v1\n{base_url}\n{signer_key_id}\n{event_hash}\n")
}

/// A request body, ready to publish: the event with its hash and its signature for the service at `base_url`.
pub fn signed_body(event: &Map<String, Value>, key: &SigningKey, key_id: &str, base_url: &str) -> Value {
    let event_hash = EventHash::of(&canonical::text(event));
    let signature = key.sign(text(base_url, key_id, &event_hash).as_bytes());
    json!({
        "event": event,
        "event_hash": event_hash,
        "signer_key_id": key_id,
        "signature": encode(&signature),
    })
}

/// What the log keeps: the canonical JSON (RFC 8785) of a whole body whose event has this canonical text.
pub fn leaf(event: &str, event_hash: &EventHash, signer_key_id: &KeyId, signature: &Signature) -> String {
    // Sorted as RFC 8785 asks; hash and base64 need no escapes, a key id may hold quotes and backslashes.
    let signature = encode(signature);
    let signer_key_id = Value::from(signer_key_id.as_str());
    format!(
        r#"{{"event":{event},"event_hash":"{event_hash}","signature":"{signature}","signer_key_id":{signer_key_id}}}"#
    )
}

/// Whether `signature` is that of `key` over `message`: strictly, so that no second encoding passes.
pub fn is_valid(key: &PublicKey, message: &str, signature: &Signature) -> bool {
    key.verifying_key().verify_strict(message.as_bytes(), signature).is_ok()
}

/// The padded base64 of a signature: 88 characters.
fn encode(signature: &Signature) -> String {
    BASE64_STANDARD.encode(signature.to_bytes())
}

/// Reads the padded base64 of 64 bytes; it has one spelling.
pub fn read(reader: &JsonReader<'_>) -> Option<Signature> {
    let text = reader.str()?;
    match BASE64_STANDARD.decode(text).ok().and_then(|bytes| <[u8; 64]>::try_from(bytes).ok()) {
        Some(bytes) if text.len() == 88 => Some(Signature::from_bytes(&bytes)),
        _ => reader.refuse("must be 64 bytes in padded base64: 88 characters"),
    }
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::VerifyingKey;
    use proptest::prelude::*;
    use shared_model::json_reader::read_with;

    use super::*;

    const BASE_URL: &str = "https://trust.example";

    fn signed() -> (PublicKey, EventHash, Signature) {
        let key = SigningKey::from_bytes(&[7; 32]);
        let event = json!({ "a": 1 });
        let body = signed_body(event.as_object().expect("an object"), &key, "press-1", BASE_URL);
        let hash = EventHash::of(r#"{"a":1}"#);
        assert_eq!(body["event_hash"], hash.as_str());
        (
            key.verifying_key().try_into().expect("a strong key"),
            hash,
            read_with(&body["signature"], read).expect("our own base64"),
        )
    }

    #[test]
    fn a_signature_is_bound_to_service_signer_and_event() {
        let (key, hash, signature) = signed();
        assert!(is_valid(&key, &text(BASE_URL, "press-1", &hash), &signature));
        for other in [
            text("https://other.example", "press-1", &hash),
            text(BASE_URL, "press-2", &hash),
            text(BASE_URL, "press-1", &EventHash::of("{}")),
        ] {
            assert!(!is_valid(&key, &other, &signature), "{other}");
        }
    }

    /// Under a key of small order, a signature of R = identity and s = 0 passes the lax check for every message.
    #[test]
    fn a_forgery_under_a_small_order_key_is_refused() {
        let mut identity = [0; 32];
        identity[0] = 1;
        let weak = VerifyingKey::from_bytes(&identity).expect("a point on the curve");
        let mut forged = [0; 64];
        forged[0] = 1;
        let forged = Signature::from_bytes(&forged);
        assert!(weak.is_weak());
        assert!(weak.to_edwards().is_small_order());
        assert!(ed25519_dalek::Verifier::verify(&weak, b"anything", &forged).is_ok(), "the lax check is fooled");
        assert!(weak.verify_strict(b"anything", &forged).is_err());
        assert!(PublicKey::try_from(weak).is_err());
    }

    proptest! {
        #[test]
        fn one_altered_bit_breaks_a_signature(at in 0usize..64, bit in 0u8..8) {
            let (key, hash, signature) = signed();
            let mut bytes = signature.to_bytes();
            bytes[at] ^= 1 << bit;
            prop_assert!(!is_valid(&key, &text(BASE_URL, "press-1", &hash), &Signature::from_bytes(&bytes)));
        }

        #[test]
        fn a_signature_has_one_spelling(at in 0usize..88, other in "[A-Za-z0-9+/=_-]") {
            let (_, _, signature) = signed();
            let mut spelling = encode(&signature);
            spelling.replace_range(at..=at, &other);
            if let Ok(read) = read_with(&Value::from(spelling.as_str()), read) {
                prop_assert_eq!(encode(&read), spelling);
            }
        }

        #[test]
        fn arbitrary_text_is_no_signature(text in "\\PC{0,100}") {
            prop_assert!(read_with(&Value::from(text), read).is_err());
        }
    }
}
