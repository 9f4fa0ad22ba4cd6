//! Signed statements: the DSSE envelope (Dead Simple Signing Envelope v1), with Ed25519.
//!
//! The signature covers the payload's type too, so that a statement of one kind is never taken for one of another.

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE},
};
use ed25519_dalek::{Signature as Ed25519, Signer as _, SigningKey, VerifyingKey};
use serde::Serialize;
use shared_model::{JsonReader, Problem, json, json_reader::read_with};

/// Bytes of an envelope's JSON at most.
pub const MAX_BYTES: usize = 262_144;

/// Signatures of one envelope at most.
const MAX_SIGNATURES: usize = 16;

/// A payload, what kind of thing it is, and who signed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    payload_type: String,
    payload: Vec<u8>,
    signatures: Vec<Signature>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Signature {
    key_id: Option<String>,
    bytes: Vec<u8>,
}

/// Signs a payload of this type.
pub fn sign(payload_type: &str, payload: &[u8], key: &SigningKey) -> Envelope {
    let bytes = key.sign(&pre_authentication(payload_type, payload)).to_bytes().to_vec();
    Envelope {
        payload_type: payload_type.to_owned(),
        payload: payload.to_vec(),
        signatures: vec![Signature { key_id: None, bytes }],
    }
}

/// The payload, when it is of this type and one of the signatures is this key's; `None` under a weak key (of small
/// order: anyone could sign for it).
pub fn verify<'a>(envelope: &'a Envelope, payload_type: &str, key: &VerifyingKey) -> Option<&'a [u8]> {
    if envelope.payload_type != payload_type || key.is_weak() {
        return None;
    }
    let signed = pre_authentication(payload_type, &envelope.payload);
    let is_signed = envelope.signatures.iter().any(|signature| {
        Ed25519::from_slice(&signature.bytes).is_ok_and(|signature| key.verify_strict(&signed, &signature).is_ok())
    });
    is_signed.then_some(&envelope.payload)
}

/// The bytes under the signature: `DSSEv1`, then type and payload, each preceded by its length (PAE).
fn pre_authentication(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

impl Envelope {
    /// What kind of thing the payload is, as the envelope says, verified or not.
    pub fn payload_type(&self) -> &str {
        &self.payload_type
    }

    /// With a hint for whoever looks for the key; nothing signs it.
    pub fn with_key_id(mut self, key_id: &str) -> Self {
        for signature in &mut self.signatures {
            signature.key_id = Some(key_id.to_owned());
        }
        self
    }

    /// The hints at keys that the envelope gives. Nothing signs them.
    pub fn key_ids(&self) -> impl Iterator<Item = &str> {
        self.signatures.iter().filter_map(|signature| signature.key_id.as_deref())
    }

    /// Reads the JSON form; all its problems at once. Base64 may be of either alphabet, and members that DSSE does not
    /// know are left alone, as it demands: no signature covers them, and nothing here uses them.
    pub fn parse(bytes: &[u8]) -> Result<Self, Vec<Problem>> {
        let whole = |rule| vec![Problem { at: String::new(), rule }];
        if bytes.len() > MAX_BYTES {
            return Err(whole(format!("must be at most {MAX_BYTES} bytes")));
        }
        let value = json::parse(bytes).map_err(|json::MalformedJson(rule)| whole(rule))?;
        read_with(&value, Self::read)
    }

    fn read(reader: &JsonReader<'_>) -> Option<Self> {
        reader.open_object(|object| {
            let payload_type = object.required("payloadType", |reader| match reader.text(200)? {
                text if text.is_empty() => reader.refuse("must not be empty"),
                text => Some(text),
            });
            let payload = object.required("payload", bytes);
            let signatures = object.required("signatures", |reader| reader.array(1..=MAX_SIGNATURES, signature));
            Some(Self { payload_type: payload_type?, payload: payload?, signatures: signatures? })
        })
    }

    /// The JSON form, on one line.
    pub fn to_json(&self) -> String {
        let signatures = self.signatures.iter().map(|Signature { key_id, bytes }| SignatureJson {
            keyid: key_id.as_deref(),
            sig: BASE64_STANDARD.encode(bytes),
        });
        let envelope = EnvelopeJson {
            payload_type: &self.payload_type,
            payload: BASE64_STANDARD.encode(&self.payload),
            signatures: signatures.collect(),
        };
        serde_json::to_string(&envelope).expect("text and arrays of text are JSON")
    }
}

fn signature(reader: &JsonReader<'_>) -> Option<Signature> {
    reader.open_object(|object| {
        let key_id = object.optional("keyid", |reader| reader.text(1_000));
        let bytes = object.required("sig", bytes);
        Some(Signature { key_id: key_id?, bytes: bytes? })
    })
}

fn bytes(reader: &JsonReader<'_>) -> Option<Vec<u8>> {
    let text = reader.str()?;
    match BASE64_STANDARD.decode(text).or_else(|_| BASE64_URL_SAFE.decode(text)) {
        Ok(bytes) => Some(bytes),
        Err(_) => reader.refuse("must be padded base64"),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EnvelopeJson<'a> {
    payload_type: &'a str,
    payload: String,
    signatures: Vec<SignatureJson<'a>>,
}

#[derive(Serialize)]
struct SignatureJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    keyid: Option<&'a str>,
    sig: String,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

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
    fn what_was_signed_is_read_back_from_json_and_verified() {
        let envelope = sign(TYPE, b"{}", &key()).with_key_id("build-1");
        let read = Envelope::parse(envelope.to_json().as_bytes()).expect("our own JSON");
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
        let retyped = Envelope { payload_type: "application/json".to_owned(), ..envelope.clone() };
        assert_eq!(verify(&retyped, "application/json", &public), None);
        let altered = Envelope { payload: b"[]".to_vec(), ..envelope };
        assert_eq!(verify(&altered, TYPE, &public), None);
    }

    #[test]
    fn one_good_signature_among_strangers_is_enough() {
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

    #[test]
    fn every_problem_of_an_envelope_is_told_with_its_place() {
        let value = json!({"payloadType": "", "payload": "???", "signatures": [{"sig": "AAA"}, {"keyid": 5}], "x": 1});
        let problems = Envelope::parse(value.to_string().as_bytes()).expect_err("five problems");
        let places: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
        assert_eq!(places, ["/payloadType", "/payload", "/signatures/0/sig", "/signatures/1/keyid", "/signatures/1"]);
        let twice = br#"{"payload": "", "payload": "", "payloadType": "t", "signatures": [{"sig": ""}]}"#;
        assert!(Envelope::parse(twice).is_err(), "a duplicate member");
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

        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Envelope::parse(&bytes).is_err());
        }
    }
}
