//! The envelope and its JSON form.

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE},
};
use serde::{Serialize, Serializer};
use shared_model::{JsonReader, Problem, json, json_reader::read_with};
use utoipa::ToSchema;

/// Maximum size of an envelope's JSON, in bytes.
pub const MAX_BYTES: usize = 262_144;

/// Maximum number of signatures. Each one costs a verification for every attestor.
const MAX_SIGNATURES: usize = 16;

/// A payload, its media type and its signatures (DSSE v1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DsseEnvelope {
    #[schema(example = "application/vnd.service.export-manifest.v1+json")]
    pub(super) payload_type: String,
    #[serde(serialize_with = "as_base64")]
    #[schema(value_type = String, example = "eyJieXRlcyI6MX0=")]
    pub(super) payload: Vec<u8>,
    /// One or more signatures of the payload and its type.
    #[schema(min_items = 1)]
    pub(super) signatures: Vec<Signature>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DsseSignature)]
pub(super) struct Signature {
    /// A hint which key made it. The signature does not cover this member.
    #[schema(example = "0b0c1d2e")]
    #[serde(rename = "keyid", skip_serializing_if = "Option::is_none")]
    pub(super) key_id: Option<String>,
    #[schema(
        value_type = String,
        example = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODkrLw=="
    )]
    #[serde(rename = "sig", serialize_with = "as_base64")]
    pub(super) bytes: Vec<u8>,
}

impl DsseEnvelope {
    /// Not verified.
    pub fn payload_type(&self) -> &str {
        &self.payload_type
    }

    /// Adds the id of the signing key. It is a hint: no signature covers it.
    pub fn with_key_id(mut self, key_id: &str) -> Self {
        for signature in &mut self.signatures {
            signature.key_id = Some(key_id.to_owned());
        }
        self
    }

    /// The key ids that the envelope names. No signature covers them.
    pub fn key_ids(&self) -> impl Iterator<Item = &str> {
        self.signatures.iter().filter_map(|signature| signature.key_id.as_deref())
    }

    /// Reads the JSON form, and reports all problems at once.
    pub fn parse(bytes: &[u8]) -> Result<Self, Vec<Problem>> {
        // DSSE requires both: either alphabet of base64, and unknown members are ignored.
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

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("text and arrays of text are JSON")
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

fn as_base64<S: Serializer>(bytes: &[u8], out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&BASE64_STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn every_problem_of_an_envelope_is_listed_with_its_pointer() {
        let value = json!({"payloadType": "", "payload": "???", "signatures": [{"sig": "AAA"}, {"keyid": 5}], "x": 1});
        let problems = DsseEnvelope::parse(value.to_string().as_bytes()).expect_err("five problems");
        let pointers: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
        assert_eq!(pointers, ["/payloadType", "/payload", "/signatures/0/sig", "/signatures/1/keyid", "/signatures/1"]);
        let twice = br#"{"payload": "", "payload": "", "payloadType": "t", "signatures": [{"sig": ""}]}"#;
        assert!(DsseEnvelope::parse(twice).is_err(), "a duplicate member");
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(DsseEnvelope::parse(&bytes).is_err());
        }
    }
}
