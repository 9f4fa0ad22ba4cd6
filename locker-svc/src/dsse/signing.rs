//! Signs and verifies. The signature covers the payload's type: a statement of one kind cannot pass for another kind.

use ed25519_dalek::{Signature as Ed25519, Signer as _, SigningKey, VerifyingKey};

use super::envelope::{DsseEnvelope, Signature};

pub fn sign(payload_type: &str, payload: &[u8], key: &SigningKey) -> DsseEnvelope {
    let bytes = key.sign(&pre_authentication(payload_type, payload)).to_bytes().to_vec();
    DsseEnvelope {
        payload_type: payload_type.to_owned(),
        payload: payload.to_vec(),
        signatures: vec![Signature { key_id: None, bytes }],
    }
}

/// The payload, if it has this type and one of the signatures was made with this key.
pub fn verify<'a>(envelope: &'a DsseEnvelope, payload_type: &str, key: &VerifyingKey) -> Option<&'a [u8]> {
    // Under a weak key (a point of small order) anybody can make a valid signature.
    if envelope.payload_type != payload_type || key.is_weak() {
        return None;
    }
    let signed = pre_authentication(payload_type, &envelope.payload);
    let is_signed = envelope.signatures.iter().any(|signature| {
        Ed25519::from_slice(&signature.bytes).is_ok_and(|signature| key.verify_strict(&signed, &signature).is_ok())
    });
    is_signed.then_some(&envelope.payload)
}

/// The signed bytes (PAE): `DSSEv1`, then type and payload, each after its length.
fn pre_authentication(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TYPE: &str = "application/vnd.test+json";

    fn key() -> SigningKey {
        SigningKey::from_bytes(&[7; 32])
    }

    /// The example of the DSSE specification (protocol.md, "Test Vectors").
    #[test]
    fn the_signed_bytes_are_those_of_the_specification() {
        let signed = pre_authentication("http://example.com/HelloWorld", b"hello world");
        assert_eq!(signed, b"DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    }

    #[test]
    fn a_signed_envelope_is_read_back_from_json_and_verified() {
        let envelope = sign(TYPE, b"{}", &key()).with_key_id("build-1");
        let read = DsseEnvelope::parse(envelope.to_json().as_bytes()).expect("our own JSON");
        assert_eq!(read, envelope);
        assert_eq!(read.key_ids().collect::<Vec<_>>(), ["build-1"]);
        assert_eq!(verify(&read, TYPE, &key().verifying_key()), Some(b"{}".as_slice()));
    }

    #[test]
    fn another_key_another_type_and_another_payload_are_refused() {
        let envelope = sign(TYPE, b"{}", &key());
        let public = key().verifying_key();
        assert_eq!(verify(&envelope, TYPE, &SigningKey::from_bytes(&[8; 32]).verifying_key()), None);
        assert_eq!(verify(&envelope, "application/json", &public), None);
        let retyped = DsseEnvelope { payload_type: "application/json".to_owned(), ..envelope.clone() };
        assert_eq!(verify(&retyped, "application/json", &public), None);
        let altered = DsseEnvelope { payload: b"[]".to_vec(), ..envelope };
        assert_eq!(verify(&altered, TYPE, &public), None);
    }

    #[test]
    fn one_valid_signature_among_others_is_enough() {
        let mut envelope = sign(TYPE, b"{}", &SigningKey::from_bytes(&[8; 32]));
        envelope.signatures.insert(0, Signature { key_id: None, bytes: vec![1, 2, 3] });
        envelope.signatures.extend(sign(TYPE, b"{}", &key()).signatures);
        assert!(verify(&envelope, TYPE, &key().verifying_key()).is_some());
    }

    #[test]
    fn a_forgery_under_a_weak_key_is_refused() {
        let mut point = [0; 32];
        point[0] = 1;
        let weak = VerifyingKey::from_bytes(&point).expect("a point on the curve");
        let mut forged = vec![0; 64];
        forged[0] = 1;
        let mut envelope = sign(TYPE, b"{}", &key());
        envelope.signatures[0].bytes = forged;
        assert_eq!(verify(&envelope, TYPE, &weak), None);
    }

    proptest! {
        #[test]
        fn any_altered_byte_of_payload_or_signature_breaks_it(
            payload in proptest::collection::vec(any::<u8>(), 1..100), at in any::<prop::sample::Index>(), bit in 0..8u8,
        ) {
            let envelope = sign(TYPE, &payload, &key());
            let mut altered = envelope.clone();
            let place = at.index(payload.len());
            altered.payload[place] ^= 1 << bit;
            prop_assert!(verify(&altered, TYPE, &key().verifying_key()).is_none());
            let mut altered = envelope;
            altered.signatures[0].bytes[at.index(64)] ^= 1 << bit;
            prop_assert!(verify(&altered, TYPE, &key().verifying_key()).is_none());
        }
    }
}
