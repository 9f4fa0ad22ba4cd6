//! The body of a publish: an event, its hash, and a signature over both (spec: Trust-publishing API).

use ed25519_dalek::Signature;
use serde_json::{Map, Value};
use shared_model::{FromJson, JsonReader};
use utoipa::ToSchema;

use super::Event;
use crate::{
    canonical::{self, EventHash},
    signers::KeyId,
    signing,
};

/// A signed event as it is sent.
#[derive(Clone, Debug, ToSchema)]
pub struct Publication {
    /// The event; every number in it within ±(2^53 - 1).
    #[schema(value_type = Event)]
    pub event: Map<String, Value>,
    /// `sha256:` + the SHA-256 of the event's canonical JSON (RFC 8785).
    pub event_hash: EventHash,
    /// Whose signature it is.
    pub signer_key_id: KeyId,
    /// Padded base64 of the Ed25519 signature over the text
    /// `service-trust/publish/v1\n{base url}\n{signer_key_id}\n{event_hash}\n`. Absent: 401, as a missing credential is.
    #[schema(
        value_type = String,
        max_length = 88,
        required,
        example = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODkrLw=="
    )]
    pub signature: Option<Signature>,
}

impl FromJson for Publication {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let event = object.required("event", |reader| {
                let numbers = reader.open_object(|_| canonical::check_numbers(reader));
                reader.value().as_object().cloned().filter(|_| numbers.is_some())
            });
            let event_hash = object.required("event_hash", EventHash::from_json);
            let signer_key_id = object.required("signer_key_id", KeyId::from_json);
            let signature = object.optional("signature", signing::read);
            if let (Some(event), Some(event_hash), Some(signer_key_id), Some(signature)) =
                (event, event_hash, signer_key_id, &signature)
            {
                return Some(Self { event, event_hash, signer_key_id, signature: *signature });
            }
            if signature == Some(None) {
                return object.refuse("must have the member \"signature\"");
            }
            None
        })
    }
}

/// The canonical JSON of a whole body: what the log keeps of it. `event` is the event's canonical text.
pub fn leaf(event: &str, event_hash: &EventHash, signer_key_id: &KeyId, signature: &Signature) -> String {
    // Sorted as RFC 8785 asks; hash and base64 need no escapes, a key id may hold quotes and backslashes.
    let signature = signing::encode(signature);
    let signer_key_id = Value::from(signer_key_id.as_str());
    format!(
        r#"{{"event":{event},"event_hash":"{event_hash}","signature":"{signature}","signer_key_id":{signer_key_id}}}"#
    )
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::SigningKey;
    use proptest::prelude::*;
    use serde_json::json;
    use shared_model::{json::parse_object, json_reader::read};

    use super::*;

    fn body(key_id: &str) -> Value {
        let event = json!({ "z": 1.50, "a": ["\u{20ac}", { "b": null, "a": -0.0 }] });
        let event = event.as_object().expect("an object");
        signing::signed_body(event, &SigningKey::from_bytes(&[7; 32]), key_id, "https://trust.example")
    }

    #[test]
    fn the_leaf_is_the_canonical_body() {
        for key_id in ["press-1", r#"a"b\c/d"#] {
            let body = body(key_id);
            let read: Publication = read(&body).expect("a signed event");
            let signature = read.signature.expect("signed");
            let leaf = leaf(&canonical::text(&read.event), &read.event_hash, &read.signer_key_id, &signature);
            assert_eq!(leaf, canonical::text(body.as_object().expect("an object")));
        }
    }

    #[test]
    fn a_missing_signature_alone_is_no_problem_of_form() {
        let mut body = body("press-1");
        body.as_object_mut().expect("an object").remove("signature");
        assert!(read::<Publication>(&body).expect("well-formed").signature.is_none());
        let problems = read::<Publication>(&json!({})).expect_err("four problems");
        assert_eq!(problems.len(), 4);
    }

    proptest! {
        #[test]
        fn one_altered_bit_of_a_body_is_noticed(at in any::<prop::sample::Index>(), bit in 0u8..8) {
            let key = SigningKey::from_bytes(&[7; 32]).verifying_key();
            let body = body("press-1");
            let mut bytes = body.to_string().into_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            let Ok(object) = parse_object(&bytes) else { return Ok(()) };
            let Ok(altered) = read::<Publication>(&Value::Object(object.clone())) else { return Ok(()) };
            let signed = signing::text("https://trust.example", altered.signer_key_id.as_str(), &altered.event_hash);
            let is_accepted = altered.event_hash == EventHash::of(&canonical::text(&altered.event))
                && altered.signature.is_some_and(|signature| signing::is_valid(&key, &signed, &signature));
            // `1E5` and `1e5` are one number: what is accepted says the same.
            prop_assert!(!is_accepted || canonical::text(&object) == canonical::text(body.as_object().expect("an object")));
        }

        #[test]
        fn arbitrary_bodies_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(object) = parse_object(&bytes) {
                let _ = read::<Publication>(&Value::Object(object));
            }
        }

        #[test]
        fn arbitrary_members_never_panic(
            event in "[\\[{\"a-e0-9:,.}\\]]{0,30}", hash in "\\PC{0,80}", key in "\\PC{0,110}", signature in "\\PC{0,90}"
        ) {
            let event: Value = serde_json::from_str(&event).unwrap_or_default();
            let body = json!({ "event": event, "event_hash": hash, "signer_key_id": key, "signature": signature });
            prop_assert!(read::<Publication>(&body).is_err(), "no one guesses a signature");
        }
    }
}
