//! The issuer's JSON Web Key Set (RFC 7517). Only keys that are safe to use are kept.

use std::{fmt, sync::Arc};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::{Map, Value};
use shared_model::json;

use super::crypto::{self, IssuerKey};

// No issuer rotates through more.
const MAX_KEYS: usize = 64;

#[derive(Debug)]
pub struct Key {
    kid: String,
    public: IssuerKey,
    decoding: DecodingKey,
}

impl Key {
    fn new(kid: &str, public: IssuerKey) -> Self {
        Self { kid: kid.to_owned(), decoding: public.decoding_key(), public }
    }

    /// True when this key, with its own algorithm, made the token's signature. [`super::token`] reads header and claims
    /// itself: jsonwebtoken does not know `Ed25519` (RFC 9864), reads the machine's clock, and accepts duplicate
    /// members.
    pub fn has_signed(&self, token: &str) -> bool {
        crypto::install();
        let Some((message, signature)) = token.rsplit_once('.') else { return false };
        jsonwebtoken::crypto::verify(signature, message.as_bytes(), &self.decoding, self.public.algorithm())
            .unwrap_or(false)
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        (&self.kid, &self.public) == (&other.kid, &other.public)
    }
}

/// The usable keys: signing keys with an id and of an accepted kind and strength. Empty when the issuer has withdrawn
/// all keys.
#[derive(Debug)]
pub struct KeySet(Vec<Arc<Key>>);

#[derive(Debug)]
pub enum KeyLookup {
    Found(Arc<Key>),
    /// A key with this id exists, but for another algorithm.
    OtherAlgorithm,
    NotFound,
}

/// The reason never quotes the document.
#[derive(Debug, PartialEq, Eq)]
pub struct InvalidKeySet(String);

impl fmt::Display for InvalidKeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidKeySet {}

impl KeySet {
    /// Parses a JWKS document and skips unusable keys. A key that `earlier` holds keeps its identity, so
    /// [`Self::holds`] stays true for it.
    pub fn parse(document: &[u8], earlier: Option<&Self>) -> Result<Self, InvalidKeySet> {
        let document = json::parse_object(document)
            .map_err(|json::MalformedJson(rule)| InvalidKeySet(format!("the JWKS {rule}")))?;
        let Some(Value::Array(entries)) = document.get("keys") else {
            return Err(InvalidKeySet("the JWKS has no array \"keys\"".to_owned()));
        };
        let mut keys: Vec<Arc<Key>> = Vec::new();
        for key in entries.iter().filter_map(usable_key) {
            let taken =
                keys.iter().any(|other| other.kid == key.kid && other.public.algorithm() == key.public.algorithm());
            if taken || keys.len() == MAX_KEYS {
                tracing::debug!(kid = key.kid, "a key of the issuer was skipped: too many keys, or its id is taken");
                continue;
            }
            let known = earlier.and_then(|earlier| earlier.0.iter().find(|known| ***known == key));
            keys.push(known.map_or_else(|| Arc::new(key), Arc::clone));
        }
        Ok(Self(keys))
    }

    pub fn find(&self, kid: &str, algorithm: Algorithm) -> KeyLookup {
        let mut found = KeyLookup::NotFound;
        for key in self.0.iter().filter(|key| key.kid == kid) {
            if key.public.algorithm() == algorithm {
                return KeyLookup::Found(Arc::clone(key));
            }
            found = KeyLookup::OtherAlgorithm;
        }
        found
    }

    /// True when this very key (not an equal one) is in the set.
    pub fn holds(&self, key: &Arc<Key>) -> bool {
        self.0.iter().any(|held| Arc::ptr_eq(held, key))
    }
}

// `None` for keys that must not sign tokens. They have another use or kind or no id, are too weak, or are
// bound to another algorithm. `oct` above all: a symmetric secret in a public key set is compromised.
fn usable_key(entry: &Value) -> Option<Key> {
    let entry = entry.as_object()?;
    let text = |name| entry.get(name).and_then(Value::as_str);
    let kid = text("kid").filter(|kid| is_visible(kid))?;
    if entry.contains_key("use") && text("use") != Some("sig") {
        return None;
    }
    if let Some(operations) = entry.get("key_ops") {
        operations.as_array()?.iter().find(|operation| **operation == "verify")?;
    }
    let public = match (text("kty")?, text("crv")) {
        ("OKP", Some("Ed25519")) => IssuerKey::ed25519(&bytes(entry, "x")?),
        ("EC", Some("P-256")) => IssuerKey::p256(&bytes(entry, "x")?, &bytes(entry, "y")?),
        ("RSA", _) => IssuerKey::rsa(&bytes(entry, "n")?, &bytes(entry, "e")?),
        _ => None,
    };
    let Some(public) = public else {
        tracing::debug!(kid, "a key of the issuer was skipped: of a kind that is not accepted, weak, or not valid");
        return None;
    };
    let agrees = !entry.contains_key("alg") || text("alg").and_then(algorithm) == Some(public.algorithm());
    agrees.then(|| Key::new(kid, public))
}

fn bytes(entry: &Map<String, Value>, name: &str) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD.decode(entry.get(name)?.as_str()?).ok()
}

// RFC 9864 names `Ed25519` what `EdDSA` means for keys of that curve.
const ALGORITHMS: [(&str, Algorithm); 4] = [
    ("EdDSA", Algorithm::EdDSA),
    ("Ed25519", Algorithm::EdDSA),
    ("ES256", Algorithm::ES256),
    ("RS256", Algorithm::RS256),
];

/// One of the three accepted algorithms (RFC 7518 §3.1, RFC 8037 §3.1).
pub fn algorithm(name: &str) -> Option<Algorithm> {
    ALGORITHMS.iter().find(|(known, _)| *known == name).map(|(_, algorithm)| *algorithm)
}

/// 1 to 255 visible ASCII characters.
pub fn is_visible(text: &str) -> bool {
    (1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::SigningKey;
    use serde_json::json;

    use super::*;

    fn ed25519(seed: u8) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(SigningKey::from_bytes(&[seed; 32]).verifying_key().as_bytes())
    }

    fn parse(keys: Value) -> Result<KeySet, InvalidKeySet> {
        KeySet::parse(json!({ "keys": keys }).to_string().as_bytes(), None)
    }

    #[test]
    fn keys_that_are_not_for_us_are_left_out() {
        let x = ed25519(1);
        let zeros = BASE64_URL_SAFE_NO_PAD.encode([0; 32]);
        let small = BASE64_URL_SAFE_NO_PAD.encode([0xff; 128]);
        for entry in [
            json!({"kty": "OKP", "crv": "Ed25519", "x": x}),
            json!({"kid": "a", "kty": "OKP", "crv": "Ed25519", "x": x, "use": "enc"}),
            json!({"kid": "a", "kty": "OKP", "crv": "Ed25519", "x": x, "use": null}),
            json!({"kid": "a", "kty": "OKP", "crv": "Ed25519", "x": x, "key_ops": ["sign"]}),
            json!({"kid": "a", "kty": "OKP", "crv": "Ed25519", "x": x, "alg": "ES256"}),
            json!({"kid": "a", "kty": "OKP", "crv": "Ed25519", "x": zeros}),
            json!({"kid": "a", "kty": "OKP", "crv": "X25519", "x": x}),
            json!({"kid": "a", "kty": "oct", "k": x}),
            json!({"kid": "a", "kty": "RSA", "n": small, "e": "AQAB"}),
            json!({"kid": "a", "kty": "EC", "crv": "P-256", "x": x, "y": x}),
            json!({"kid": "a", "kty": "XYZ"}),
            json!({"kid": "a b", "kty": "OKP", "crv": "Ed25519", "x": x}),
            json!("text"),
        ] {
            assert!(parse(json!([entry])).is_ok_and(|set| set.0.is_empty()), "{entry}");
            let set = parse(json!([entry, {"kid": "good", "kty": "OKP", "crv": "Ed25519", "x": x}])).expect("one key");
            assert!(matches!(set.find("good", Algorithm::EdDSA), KeyLookup::Found(_)), "beside {entry}");
            assert!(matches!(set.find("a", Algorithm::EdDSA), KeyLookup::NotFound), "{entry}");
        }
    }

    #[test]
    fn a_document_that_is_not_a_key_set_is_refused() {
        for text in ["", "[]", "{}", r#"{"keys":{}}"#, r#"{"keys":[],"keys":[]}"#, "<html>"] {
            assert!(KeySet::parse(text.as_bytes(), None).is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_keeps_its_identity_as_long_as_it_is_the_same() {
        let entry = |seed| json!({"kid": "a", "kty": "OKP", "crv": "Ed25519", "x": ed25519(seed)});
        let first = parse(json!([entry(1)])).expect("one key");
        let KeyLookup::Found(key) = first.find("a", Algorithm::EdDSA) else { panic!("the key is there") };
        let again = KeySet::parse(json!({"keys": [entry(1)]}).to_string().as_bytes(), Some(&first)).expect("one key");
        assert!(again.holds(&key));
        let other = KeySet::parse(json!({"keys": [entry(2)]}).to_string().as_bytes(), Some(&first)).expect("one key");
        assert!(!other.holds(&key), "the same id, but another key");
    }

    #[test]
    fn a_key_goes_with_its_own_algorithm_only() {
        let set = parse(json!([{"kid": "a", "kty": "OKP", "crv": "Ed25519", "x": ed25519(1)}])).expect("one key");
        assert!(matches!(set.find("a", Algorithm::RS256), KeyLookup::OtherAlgorithm));
        assert!(matches!(set.find("b", Algorithm::EdDSA), KeyLookup::NotFound));
    }

    #[test]
    fn one_algorithm_may_have_two_names() {
        assert_eq!(algorithm("EdDSA"), algorithm("Ed25519"));
        for name in ["EdDSA", "Ed25519"] {
            let entry = json!({"kid": "a", "kty": "OKP", "crv": "Ed25519", "x": ed25519(1), "alg": name});
            assert!(parse(json!([entry])).is_ok(), "{name}");
        }
        for name in ["Ed448", "ed25519", "eddsa", "none", "HS256", "ES384", "PS256", "RS1"] {
            assert_eq!(algorithm(name), None, "{name}");
        }
    }
}
