//! The payload of an attestation: an in-toto statement (Statement v1) whose subjects are images.

use ed25519_dalek::SigningKey;
use serde_json::json;
use shared_model::{JsonReader, Problem, Timestamp, json, json_reader::read_with};

use crate::{
    dsse::{self, DsseEnvelope},
    image_digest::ImageDigest,
};

pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
// A SLSA verification summary says whether the image passed.
const SUMMARY_TYPE: &str = "https://slsa.dev/verification_summary/v1";
const MAX_SUBJECTS: usize = 100;

/// The members of a statement that this service uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The subjects that have a SHA-256 digest.
    pub images: Vec<ImageDigest>,
}

impl Statement {
    pub fn parse(payload: &[u8]) -> Result<Self, Vec<Problem>> {
        match json::parse(payload) {
            Ok(value) => read_with(&value, Self::read),
            Err(json::MalformedJson(rule)) => Err(vec![Problem { at: String::new(), rule }]),
        }
    }

    fn read(reader: &JsonReader<'_>) -> Option<Self> {
        reader.open_object(|object| {
            let kind = object.required("_type", |reader| reader.one_of(&[(STATEMENT_TYPE, ())]));
            let subjects = object.required("subject", |reader| reader.array(1..=MAX_SUBJECTS, digest));
            let predicate_type = object.required("predicateType", |reader| reader.text(1_000));
            // Other predicates (provenance, tests) are taken as approval by their signature. A summary may say
            // FAILED.
            let has_passed =
                predicate_type.as_deref() != Some(SUMMARY_TYPE) || object.required("predicate", result).is_some();
            let images: Vec<_> = subjects?.into_iter().flatten().collect();
            if images.is_empty() {
                return object.refuse("must have a subject with a sha256 digest");
            }
            (kind.is_some() && predicate_type.is_some() && has_passed).then_some(Self { images })
        })
    }
}

// `Some(None)` for a subject with digests of other kinds only. In-toto allows it, so it is not an error.
fn digest(reader: &JsonReader<'_>) -> Option<Option<ImageDigest>> {
    reader.open_object(|object| {
        object.required("digest", |reader| {
            reader.open_object(|object| {
                object.optional("sha256", |reader| {
                    let digits = reader.str()?;
                    match format!("sha256:{digits}").parse() {
                        Ok(digest) => Some(digest),
                        Err(_) => reader.refuse("must be 64 lowercase hexadecimal digits"),
                    }
                })
            })
        })
    })
}

fn result(reader: &JsonReader<'_>) -> Option<()> {
    reader.open_object(|object| object.required("verificationResult", |reader| reader.one_of(&[("PASSED", ())])))
}

/// Signs a SLSA verification summary which states that the image passed.
pub fn sign(image: &ImageDigest, verifier: &str, key: &SigningKey, now: Timestamp) -> DsseEnvelope {
    let statement = json!({
        "_type": STATEMENT_TYPE,
        "subject": [{"digest": {"sha256": image.hex()}}],
        "predicateType": SUMMARY_TYPE,
        "predicate": {
            "verifier": {"id": verifier},
            "timeVerified": now,
            "resourceUri": image.as_str(),
            "policy": {"uri": "urn:fourfold:room-image"},
            "verificationResult": "PASSED",
            "verifiedLevels": [],
        },
    });
    dsse::sign(PAYLOAD_TYPE, statement.to_string().as_bytes(), key)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn statement() -> Value {
        json!({
            "_type": STATEMENT_TYPE,
            "subject": [{"name": "room", "digest": {"sha256": "a".repeat(64), "sha512": "…"}}],
            "predicateType": "https://slsa.dev/provenance/v1",
            "predicate": {"anything": true},
        })
    }

    fn parse(value: &Value) -> Result<Statement, Vec<String>> {
        let places = |problems: Vec<Problem>| problems.into_iter().map(|problem| problem.at).collect();
        Statement::parse(value.to_string().as_bytes()).map_err(places)
    }

    #[test]
    fn a_statement_is_about_the_subjects_that_have_a_sha256_digest() {
        let mut value = statement();
        value["subject"] = json!([
            {"digest": {"sha256": "a".repeat(64)}}, {"digest": {"gitCommit": "b"}}, {"digest": {"sha256": "c".repeat(64)}},
        ]);
        let images = parse(&value).expect("a statement").images;
        assert_eq!(images.iter().map(|image| &image.hex()[..1]).collect::<Vec<_>>(), ["a", "c"]);
    }

    #[test]
    fn problems_of_a_statement_are_reported_with_their_pointers() {
        for (member, wrong, place) in [
            ("_type", json!("https://in-toto.io/Statement/v0.1"), "/_type"),
            ("subject", json!([]), "/subject"),
            ("subject", json!([{"digest": {"sha256": "A".repeat(64)}}]), "/subject/0/digest/sha256"),
            ("subject", json!([{"name": "room"}]), "/subject/0"),
            ("subject", json!([{"digest": {"gitCommit": "b"}}]), ""),
            ("predicateType", json!(5), "/predicateType"),
        ] {
            let mut value = statement();
            value[member] = wrong;
            assert_eq!(parse(&value).expect_err("a problem"), [place], "{value}");
        }
    }

    #[test]
    fn a_summary_counts_only_when_it_says_passed() {
        let mut value = statement();
        value["predicateType"] = json!(SUMMARY_TYPE);
        value["predicate"] = json!({"verificationResult": "FAILED"});
        assert_eq!(parse(&value).expect_err("failed"), ["/predicate/verificationResult"]);
        value["predicate"] = json!({});
        assert_eq!(parse(&value).expect_err("silent"), ["/predicate"]);
        value["predicate"] = json!({"verificationResult": "PASSED"});
        assert!(parse(&value).is_ok());
    }

    #[test]
    fn our_own_attestations_are_statements_about_the_image() {
        let image: ImageDigest = format!("sha256:{}", "a".repeat(64)).parse().expect("a digest");
        let key = SigningKey::from_bytes(&[7; 32]);
        let envelope = sign(&image, "build-1", &key, Timestamp::from_seconds(0));
        let payload = dsse::verify(&envelope, PAYLOAD_TYPE, &key.verifying_key()).expect("signed");
        assert_eq!(Statement::parse(payload), Ok(Statement { images: vec![image] }));
    }
}
