//! Signs tokens for the local stack's issuer and for tests. The services never sign tokens.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ed25519_dalek::{SigningKey, VerifyingKey, pkcs8::EncodePrivateKey as _};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use super::crypto;

/// Signs an access token (`typ: at+jwt`, EdDSA). `claims` must be an object.
pub fn sign(key: &SigningKey, kid: &str, claims: &Value) -> String {
    crypto::install();
    let mut header = Header::new(Algorithm::EdDSA);
    header.typ = Some("at+jwt".to_owned());
    header.kid = Some(kid.to_owned());
    let key = key.to_pkcs8_der().expect("a key of 32 bytes has a PKCS#8 form");
    jsonwebtoken::encode(&header, claims, &EncodingKey::from_ed_der(key.as_bytes())).expect("JSON, and a key of ours")
}

pub fn jwks(keys: &[(&str, VerifyingKey)]) -> Value {
    let entry = |(kid, key): &(&str, VerifyingKey)| {
        json!({
            "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": kid,
            "x": BASE64_URL_SAFE_NO_PAD.encode(key.as_bytes()),
        })
    };
    json!({ "keys": keys.iter().map(entry).collect::<Vec<_>>() })
}
