//! An issuer, and access tokens with any claims.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Map, Value, json};
use shared_model::Timestamp;
use shared_runtime::{
    base::surface::{Claim, Surface},
    service::Service,
};

/// An authorization server as services see it: a URL and a key.
#[derive(Clone)]
pub struct Issuer {
    /// `iss`.
    pub url: String,
    pub kid: String,
    pub(crate) key: SigningKey,
}

impl Issuer {
    pub fn new(url: &str, kid: &str) -> Self {
        let secret: [u8; 32] = rand::random();
        Self { url: url.to_owned(), kid: kid.to_owned(), key: SigningKey::from_bytes(&secret) }
    }

    /// The same issuer with a new key and key id.
    pub fn rotated(&self, kid: &str) -> Self {
        Self::new(&self.url, kid)
    }

    /// The public key as a JWK (RFC 8037).
    pub fn jwk(&self) -> Value {
        let x = BASE64_URL_SAFE_NO_PAD.encode(self.key.verifying_key().as_bytes());
        json!({"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": self.kid, "x": x})
    }

    /// Writes the key set to a file in this folder; returns its path.
    pub(crate) fn write_jwks(&self, folder: &Path) -> PathBuf {
        let path = folder.join("jwks.json");
        std::fs::write(&path, Self::jwks(&[self]).to_string()).expect("the key set is written");
        path
    }

    /// A key set with the keys of these issuers.
    pub fn jwks(issuers: &[&Self]) -> Value {
        json!({"keys": issuers.iter().map(|issuer| issuer.jwk()).collect::<Vec<_>>()})
    }
}

/// An unsigned access token (RFC 9068).
#[derive(Clone)]
pub struct Token {
    pub header: Map<String, Value>,
    pub claims: Map<String, Value>,
    pub(crate) key: SigningKey,
}

impl Token {
    /// A token that is valid for an hour and has the claims that the service requires.
    pub fn new(issuer: &Issuer, audience: &str, subject: &str, surface: &Surface, now: Timestamp) -> Self {
        let header = object(json!({"alg": "EdDSA", "typ": "at+jwt", "kid": issuer.kid}));
        let mut claims = object(json!({
            "iss": issuer.url,
            "aud": audience,
            "sub": subject,
            "iat": now.seconds(),
            "exp": now.plus(Duration::from_secs(3600)).seconds(),
            "jti": format!("token-of-{subject}"),
            "grant_id": format!("grant-of-{subject}"),
            "scope": "",
        }));
        for claim in surface.claims {
            let (name, value) = match claim {
                Claim::WorkspaceId => ("workspace_id", json!("ws_1")),
                Claim::Actor => ("actor", json!({"type": "user", "id": subject, "display_name": subject})),
                Claim::GrantKind => ("grant_kind", json!("owner")),
            };
            claims.insert(name.to_owned(), value);
        }
        Self { header, claims, key: issuer.key.clone() }
    }

    /// A token with every scope that the service's routes use.
    pub(crate) fn of_owner(service: &Service, issuer: &Issuer, base_url: &str, subject: &str, now: Timestamp) -> Self {
        let routes = service.routes();
        let permissions = routes.contracts().filter_map(|contract| contract.required());
        let mut scopes: Vec<_> = permissions.map(|permission| permission.scope).collect();
        scopes.sort_unstable();
        scopes.dedup();
        Self::new(issuer, base_url, subject, service.surface, now).scope(&scopes.join(" "))
    }

    /// Replaces the scopes, separated by spaces.
    pub fn scope(mut self, scopes: &str) -> Self {
        self.claims.insert("scope".to_owned(), json!(scopes));
        self
    }

    /// The compact form. Equal tokens have equal text, because Ed25519 signatures are deterministic.
    pub fn sign(&self) -> String {
        let part = |map: &Map<String, Value>| BASE64_URL_SAFE_NO_PAD.encode(Value::Object(map.clone()).to_string());
        let signed = format!("{}.{}", part(&self.header), part(&self.claims));
        let signature = BASE64_URL_SAFE_NO_PAD.encode(self.key.sign(signed.as_bytes()).to_bytes());
        format!("{signed}.{signature}")
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("not an object: {other}"),
    }
}
