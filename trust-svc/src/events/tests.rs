//! The body of a publish request: how it is read, signed and logged.

use ed25519_dalek::{Signature, SigningKey, VerifyingKey};
use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::{
    json::parse_object,
    json_reader::{read, read_with},
};
use shared_runtime::PublicKey;
use trust_log::canonical;

use super::publication::{Publication, SignatureFlaw, log_entry, read_signature};
use crate::model::EventHash;

const BASE_URL: &str = "https://trust.example";

fn body(key_id: &str) -> Value {
    let event = json!({ "z": 1.50, "a": ["\u{20ac}", { "b": null, "a": -0.0 }] });
    let event = event.as_object().expect("an object");
    Publication::sign(event, &SigningKey::from_bytes(&[7; 32]), key_id, BASE_URL)
}

fn key() -> PublicKey {
    SigningKey::from_bytes(&[7; 32]).verifying_key().try_into().expect("a strong key")
}

fn publication() -> Publication {
    read(&body("press-1")).expect("a signed event")
}

#[test]
fn the_leaf_is_the_canonical_body() {
    for key_id in ["press-1", r#"a"b\c/d"#] {
        let body = body(key_id);
        let read: Publication = read(&body).expect("a signed event");
        let (event, signature) = (canonical::object_text(&read.event), read.signature.expect("signed"));
        let leaf = log_entry(&event, &read.event_hash, &read.signer_key_id, &signature);
        assert_eq!(leaf, canonical::value_text(&body));
    }
}

#[test]
fn a_missing_signature_alone_is_not_a_problem_of_form() {
    let mut body = body("press-1");
    body.as_object_mut().expect("an object").remove("signature");
    let read_body = read::<Publication>(&body).expect("well-formed");
    assert_eq!(read_body.verify(&key(), BASE_URL), Err(SignatureFlaw::Missing));
    let problems = read::<Publication>(&json!({})).expect_err("four problems");
    assert_eq!(problems.len(), 4);
}

#[test]
fn a_signature_is_bound_to_service_signer_and_event() {
    let signed = publication();
    assert_eq!(signed.verify(&key(), BASE_URL), Ok(()));
    let is_invalid = |publication: &Publication, base_url: &str| {
        matches!(publication.verify_signature(&key(), base_url), Err(SignatureFlaw::Invalid { .. }))
    };
    assert!(is_invalid(&signed, "https://other.example"));
    assert!(is_invalid(
        &Publication { signer_key_id: "press-2".parse().expect("a key id"), ..signed.clone() },
        BASE_URL
    ));
    let other = Publication { event_hash: EventHash::from_canonical("{}"), ..signed.clone() };
    assert!(is_invalid(&other, BASE_URL));
    assert_eq!(other.verify(&key(), BASE_URL), Err(SignatureFlaw::OtherHash(signed.event_hash)));
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
        let signed = publication();
        let mut bytes = signed.signature.expect("signed").to_bytes();
        bytes[at] ^= 1 << bit;
        let altered = Publication { signature: Some(Signature::from_bytes(&bytes)), ..signed };
        prop_assert!(altered.verify(&key(), BASE_URL).is_err());
    }

    #[test]
    fn a_signature_has_one_spelling(at in 0usize..88, other in "[A-Za-z0-9+/=_-]") {
        let body = body("press-1");
        let mut spelling = body["signature"].as_str().expect("base64").to_owned();
        let original = spelling.clone();
        spelling.replace_range(at..=at, &other);
        if let (Ok(read), Ok(signed)) = (
            read_with(&Value::from(spelling.as_str()), read_signature),
            read_with(&Value::from(original.as_str()), read_signature),
        ) {
            prop_assert_eq!(read == signed, spelling == original);
        }
    }

    #[test]
    fn arbitrary_text_is_not_a_signature(text in "\\PC{0,100}") {
        prop_assert!(read_with(&Value::from(text), read_signature).is_err());
    }

    #[test]
    fn one_altered_bit_of_a_body_is_noticed(at in any::<prop::sample::Index>(), bit in 0u8..8) {
        let body = body("press-1");
        let mut bytes = body.to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        let Ok(object) = parse_object(&bytes) else { return Ok(()) };
        let Ok(altered) = read::<Publication>(&Value::Object(object.clone())) else { return Ok(()) };
        let is_accepted = altered.verify(&key(), BASE_URL).is_ok();
        // `1E5` and `1e5` are one number: an accepted body means the same.
        prop_assert!(!is_accepted || canonical::object_text(&object) == canonical::value_text(&body));
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
