//! All the ways in which a token can be wrong, and the few in which it is right.

use ed25519_dalek::{Signer as _, SigningKey};
use proptest::prelude::*;
use ring::{hmac, rand::SystemRandom, signature::KeyPair as _};
use serde_json::json;

use super::*;
use crate::{
    base::surface::Claim,
    identity::{
        ActorKind,
        keys::{KeyLookup, KeySet},
        mint,
    },
};

const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);
const ISSUER: &str = "https://issuer.example";
const AUDIENCE: &str = "https://orders.example";

fn key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn key_set() -> KeySet {
    set(&mint::jwks(&[("k1", key().verifying_key())]))
}

fn set(document: &Value) -> KeySet {
    KeySet::parse(document.to_string().as_bytes(), None).expect("a usable key")
}

fn claims() -> Value {
    json!({
        "iss": ISSUER, "aud": AUDIENCE, "exp": NOW.seconds() + 3600, "iat": NOW.seconds(), "sub": "ada", "jti": "t-1",
        "scope": "a.read b.write", "grant_id": "g-1", "workspace_id": "ws_7", "grant_kind": "owner",
        "actor": {"type": "agent", "id": "agent-1", "display_name": "Ada’s agent"}, "client_id": "c-1",
    })
}

/// The claims with one changed; `null` removes it.
fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    if value.is_null() {
        claims.as_object_mut().expect("an object").remove(name);
    } else {
        claims[name] = value;
    }
    claims
}

fn part(text: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(text)
}

/// A properly signed token with any header and claims.
fn sign(header: &str, claims: &str) -> String {
    let signed = format!("{}.{}", part(header), part(claims));
    let signature = key().sign(signed.as_bytes()).to_bytes();
    format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
}

const HEADER: &str = r#"{"typ":"at+jwt","alg":"EdDSA","kid":"k1"}"#;

fn check_for(token: &str, claims: &'static [Claim], keys: &KeySet, now: Timestamp) -> Result<Identity, TokenError> {
    let expected = ClaimRules { issuer: ISSUER, audiences: &[AUDIENCE.to_owned()], claims };
    let presented = UnverifiedToken::read(token, &expected, now)?;
    match keys.find(presented.kid(), presented.algorithm()) {
        KeyLookup::Found(key) => presented.verify_with(&key),
        KeyLookup::OtherAlgorithm | KeyLookup::NotFound => Err(TokenError::Unproven("no such key")),
    }
}

fn check(token: &str) -> Result<Identity, TokenError> {
    check_for(token, &[], &key_set(), NOW)
}

fn check_claims(claims: &Value) -> Result<Identity, TokenError> {
    check(&mint::sign(&key(), "k1", claims))
}

#[test]
fn a_good_token_identifies_the_caller() {
    let token = mint::sign(&key(), "k1", &claims());
    let identity = check_for(&token, &[Claim::WorkspaceId, Claim::Actor], &key_set(), NOW).expect("a good token");
    assert_eq!(identity.subject, "ada");
    assert_eq!(identity.grant_id, "g-1");
    assert_eq!(identity.scopes, ["a.read", "b.write"]);
    assert_eq!(identity.expires_at.seconds(), NOW.seconds() + 3600);
    assert_eq!(identity.workspace_id, Some(7));
    assert_eq!(identity.actor.expect("an actor").kind, ActorKind::Agent);
    let identity = check_for(&token, &[Claim::GrantKind], &key_set(), NOW).expect("a good token");
    assert_eq!(identity.grant_kind.as_deref(), Some("owner"));
    assert_eq!(identity.workspace_id, None, "not this surface's claim");
}

#[test]
fn the_type_is_a_media_type_with_or_without_its_prefix_in_any_case() {
    for kind in ["at+jwt", "AT+JWT", "application/at+jwt"] {
        let header = HEADER.replace("at+jwt", kind);
        assert!(check(&sign(&header, &claims().to_string())).is_ok(), "{kind}");
    }
}

#[test]
fn every_common_claim_is_needed_and_has_its_type() {
    for name in ["iss", "aud", "exp", "iat", "sub", "jti", "scope", "grant_id"] {
        for value in [Value::Null, json!({}), json!(true), json!([]), json!(1.5), json!([1]), json!("")] {
            if (name, &value) != ("scope", &json!("")) {
                assert!(check_claims(&with(name, value.clone())).is_err(), "{name}: {value}");
            }
        }
    }
    for name in ["sub", "jti", "grant_id"] {
        assert!(check_claims(&with(name, json!("x".repeat(255)))).is_ok(), "{name}");
        assert!(check_claims(&with(name, json!("x".repeat(256)))).is_err(), "{name}");
        assert!(check_claims(&with(name, json!("a b"))).is_err(), "{name}");
        assert!(check_claims(&with(name, json!(7))).is_err(), "{name}");
    }
}

#[test]
fn a_surface_needs_its_own_claims() {
    let token = |claims: &Value| mint::sign(&key(), "k1", claims);
    let actor = |kind: &str, id: &str, name: &str| json!({"type": kind, "id": id, "display_name": name});
    for (name, value) in [
        ("workspace_id", Value::Null),
        ("workspace_id", json!(7)),
        ("workspace_id", json!("7")),
        ("workspace_id", json!("ws_07")),
        ("workspace_id", json!("ws_-7")),
        ("actor", Value::Null),
        ("actor", json!("ada")),
        ("actor", json!({"type": "user", "id": "u"})),
        ("actor", actor("robot", "u", "Ada")),
        ("actor", actor("user", "", "Ada")),
        ("actor", actor("user", "u", "")),
        ("actor", actor("user", "u", "a\u{1b}b")),
        ("actor", actor("user", "u", &"x".repeat(256))),
    ] {
        let token = token(&with(name, value.clone()));
        assert!(check_for(&token, &[Claim::WorkspaceId, Claim::Actor], &key_set(), NOW).is_err(), "{name}: {value}");
        assert!(check(&token).is_ok(), "another surface does not mind {name}: {value}");
    }
    let without = token(&with("grant_kind", Value::Null));
    assert!(check_for(&without, &[Claim::GrantKind], &key_set(), NOW).is_err());
}

#[test]
fn a_token_is_for_us_alone() {
    for audience in [
        json!("https://cloud.example"),
        json!("https://orders.example/"),
        json!("https://ORDERS.example"),
        json!([AUDIENCE, "https://cloud.example"]),
        json!(["https://cloud.example"]),
        json!([[AUDIENCE]]),
    ] {
        assert!(check_claims(&with("aud", audience.clone())).is_err(), "{audience}");
    }
    assert!(check_claims(&with("aud", json!([AUDIENCE]))).is_ok());
    assert!(check_claims(&with("iss", json!("https://issuer.example/"))).is_err());
}

#[test]
fn a_token_is_in_force_between_its_dates_give_or_take_half_a_minute() {
    let now = NOW.seconds();
    for (name, seconds, good) in [
        ("exp", now - 29, true),
        ("exp", now - 30, false),
        ("exp", -1, false),
        ("iat", now + 30, true),
        ("iat", now + 31, false),
        ("nbf", now + 30, true),
        ("nbf", now + 31, false),
        ("exp", i64::MAX, false),
        ("iat", i64::MIN, false),
    ] {
        let mut claims = with(name, json!(seconds));
        if name == "exp" {
            claims["iat"] = json!(now - 3600);
        }
        assert_eq!(check_claims(&claims).is_ok(), good, "{name} {seconds}");
    }
    assert!(check_claims(&with("nbf", json!("soon"))).is_err());
    assert!(check_claims(&with("exp", json!(1e300))).is_err());
    assert!(check_claims(&with("exp", json!(u64::MAX))).is_err());
}

#[test]
fn no_token_lives_longer_than_a_grant_may() {
    let iat = NOW.seconds();
    assert!(check_claims(&with("exp", json!(iat + 2_592_000))).is_ok());
    assert!(check_claims(&with("exp", json!(iat + 2_592_001))).is_err());
    let mut backwards = with("exp", json!(iat));
    backwards["iat"] = json!(iat + 10);
    assert!(check_claims(&backwards).is_err());
}

#[test]
fn the_reason_is_told_only_if_the_issuer_signed_the_token() {
    let expired = json!({"exp": NOW.seconds() - 60, "iat": NOW.seconds() - 3660});
    for (name, value, reason) in [
        ("exp", expired["exp"].clone(), "The token expired at 2027-01-15T07:59:00.000000Z"),
        ("exp", json!("soon"), "The token's exp must be a time in whole seconds"),
        ("nbf", json!(NOW.seconds() + 60), "The token is not valid before 2027-01-15T08:01:00.000000Z"),
        ("iss", json!("https://issuer.example/"), "The token's iss must be https://issuer.example"),
        ("aud", json!("https://cloud.example"), "The token's aud must be https://orders.example"),
        ("scope", Value::Null, "The token has no scope"),
        ("grant_id", json!("a b"), "The token's grant_id must be 1 to 255 visible ASCII characters"),
        ("grant_kind", Value::Null, "The token has no grant_kind"),
    ] {
        let mut claims = with(name, value);
        claims["iat"] = expired["iat"].clone();
        let error = |key: &SigningKey| {
            let token = mint::sign(key, "k1", &claims);
            check_for(&token, &[Claim::GrantKind], &key_set(), NOW).expect_err(name)
        };
        assert_eq!(error(&key()).public_reason(), Some(reason));
        assert_eq!(error(&SigningKey::from_bytes(&[8; 32])).public_reason(), None, "{name}");
    }
}

#[test]
fn a_header_that_asks_for_anything_else_is_refused() {
    let claims = claims().to_string();
    for header in [
        r#"{"typ":"JWT","alg":"EdDSA","kid":"k1"}"#,
        r#"{"alg":"EdDSA","kid":"k1"}"#,
        r#"{"typ":"at+jwt","alg":"EdDSA"}"#,
        r#"{"typ":"at+jwt","alg":"EdDSA","kid":7}"#,
        r#"{"typ":"at+jwt","alg":"EdDSA","kid":""}"#,
        r#"{"typ":"at+jwt","alg":"EdDSA","kid":"k2"}"#,
        r#"{"typ":"at+jwt","alg":"EdDSA","kid":"k1","crit":["exp"]}"#,
        r#"{"typ":"at+jwt","alg":"EdDSA","kid":"k1","crit":[]}"#,
        r#"{"typ":"at+jwt","alg":"EdDSA","kid":"k1","kid":"k1"}"#,
        r#"{"typ":"at+jwt","alg":"EdDSA","kid":"k1"} "x""#,
        r#"{"typ":"at+jwt","alg":"eddsa","kid":"k1"}"#,
        r#"{"typ":"at+jwt","alg":"ES256","kid":"k1"}"#,
        r#"{"typ":"at+jwt","alg":"RS256","kid":"k1"}"#,
        r#"{"typ":"at+jwt","alg":"none","kid":"k1"}"#,
        r#"{"typ":"at+jwt","kid":"k1"}"#,
        "[]",
        "",
    ] {
        assert!(check(&sign(header, &claims)).is_err(), "{header}");
    }
    assert!(check(&sign(HEADER, &claims)).is_ok());
}

#[test]
fn duplicate_claims_are_refused() {
    let twice = claims().to_string().replacen('{', r#"{"aud":"https://orders.example","#, 1);
    assert!(check(&sign(HEADER, &twice)).is_err());
}

#[test]
fn an_unsigned_token_is_refused() {
    let header = r#"{"typ":"at+jwt","alg":"none","kid":"k1"}"#;
    assert!(check(&format!("{}.{}.", part(header), part(&claims().to_string()))).is_err());
    assert!(check(&format!("{}.{}.", part(HEADER), part(&claims().to_string()))).is_err());
}

#[test]
fn a_token_signed_with_the_public_key_as_a_secret_is_refused() {
    let header = r#"{"typ":"at+jwt","alg":"HS256","kid":"k1"}"#;
    let signed = format!("{}.{}", part(header), part(&claims().to_string()));
    let secret = hmac::Key::new(hmac::HMAC_SHA256, key().verifying_key().as_bytes());
    let tag = hmac::sign(&secret, signed.as_bytes());
    assert!(check(&format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(tag))).is_err());
}

#[test]
fn a_key_of_small_order_in_the_jwks_proves_nothing() {
    // Under the neutral element, R = neutral element and S = 0 satisfy every message for a verifier that is not strict.
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let mut document = mint::jwks(&[("k1", key().verifying_key())]);
    let x = BASE64_URL_SAFE_NO_PAD.encode(neutral);
    document["keys"].as_array_mut().expect("keys").push(json!({"kid": "weak", "kty": "OKP", "crv": "Ed25519", "x": x}));
    let signed = format!("{}.{}", part(&HEADER.replace("k1", "weak")), part(&claims().to_string()));
    let forged = [neutral, [0; 32]].concat();
    let token = format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(&forged));
    assert!(check_for(&token, &[], &set(&document), NOW).is_err());
    let weak = jsonwebtoken::DecodingKey::from_ed_der(&neutral);
    crate::identity::crypto::install();
    let forged = BASE64_URL_SAFE_NO_PAD.encode(&forged);
    let is_valid = jsonwebtoken::crypto::verify(&forged, signed.as_bytes(), &weak, Algorithm::EdDSA);
    assert!(!is_valid.expect("a key of the right kind"));
}

#[test]
fn a_token_of_more_than_8_kibibytes_is_refused() {
    assert!(check_claims(&with("note", json!("x".repeat(3000)))).is_ok());
    let long = mint::sign(&key(), "k1", &with("note", json!("x".repeat(6600))));
    assert!(long.len() > 9_000, "{}", long.len());
    assert_eq!(check(&long).map(|_| ()), Err(TokenError::Unproven("longer than 8 KiB")));
}

#[test]
fn a_token_has_exactly_three_canonical_parts() {
    let good = mint::sign(&key(), "k1", &claims());
    let (signed, signature) = good.rsplit_once('.').expect("three parts");
    for token in [
        String::new(),
        "..".to_owned(),
        signed.to_owned(),
        format!("{good}."),
        format!("{good}.{signature}"),
        format!("{good}="),
        format!("{good} "),
        format!(" {good}"),
        good.replace('-', "+"),
        format!("{signed}.{}", &signature[..signature.len() - 1]),
    ] {
        assert!(check(&token).is_err() || token == good, "{token}");
    }
}

#[test]
fn es256_is_accepted_from_a_key_of_p_256() {
    let random = SystemRandom::new();
    let algorithm = &ring::signature::ECDSA_P256_SHA256_FIXED_SIGNING;
    let document = ring::signature::EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
    let pair = ring::signature::EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).expect("a key");
    let point = pair.public_key().as_ref();
    let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
    let jwks = json!({"keys": [{"kid": "k1", "kty": "EC", "crv": "P-256", "x": encode(&point[1..33]), "y": encode(&point[33..])}]});
    let signed = format!("{}.{}", part(&HEADER.replace("EdDSA", "ES256")), part(&claims().to_string()));
    let signature = pair.sign(&random, signed.as_bytes()).expect("a signature");
    let token = format!("{signed}.{}", encode(signature.as_ref()));
    assert!(check_for(&token, &[], &set(&jwks), NOW).is_ok());
    assert!(check_for(&token, &[], &key_set(), NOW).is_err(), "another key of the same id");
}

/// Made once with openssl; the private key was not stored.
const RS256: &str = include_str!("rs256.json");

#[test]
fn rs256_is_accepted_from_a_key_of_2048_bits() {
    let made: Value = serde_json::from_str(RS256).expect("JSON");
    let (keys, token) = (set(&made["jwks"]), made["token"].as_str().expect("a token"));
    assert!(check_for(token, &[], &keys, NOW).is_ok());
    let mut altered = token.to_owned();
    let last = altered.pop().expect("a character");
    altered.push(if last == 'A' { 'Q' } else { 'A' });
    assert!(check_for(&altered, &[], &keys, NOW).is_err());
}

proptest! {
    #[test]
    fn arbitrary_text_never_authenticates(text in "\\PC{0,300}") {
        prop_assert!(check(&text).is_err());
    }

    #[test]
    fn arbitrary_parts_never_authenticate(
        header in proptest::collection::vec(any::<u8>(), 0..80),
        claims in proptest::collection::vec(any::<u8>(), 0..200),
        signature in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let token = [header, claims, signature].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part)).join(".");
        prop_assert!(check(&token).is_err());
    }

    #[test]
    fn one_altered_character_is_refused(at in 0usize..600, to in "[A-Za-z0-9_.-]") {
        let mut token = mint::sign(&key(), "k1", &claims());
        let at = at % token.len();
        let was = token[at..=at].to_owned();
        token.replace_range(at..=at, &to);
        prop_assert_eq!(check(&token).is_ok(), was == to);
    }
}
