//! The body of a publish, as it is read, signed and logged.

use ed25519_dalek::SigningKey;
use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::{json::parse_object, json_reader::read};

use super::publish::Publication;
use crate::{
    canonical::{self, EventHash},
    signing,
};

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
        let leaf = signing::leaf(&canonical::text(&read.event), &read.event_hash, &read.signer_key_id, &signature);
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
        let key = SigningKey::from_bytes(&[7; 32]).verifying_key().try_into().expect("a strong key");
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
