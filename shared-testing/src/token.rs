//! An issuer, and access tokens that say whatever a test wants them to say.

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

/// An authorization server, as far as a service sees it: a name and a key.
#[derive(Clone)]
pub struct Issuer {
    /// `iss`.
    pub url: String,
    /// The id of its key.
    pub kid: String,
    pub(crate) key: SigningKey,
}

impl Issuer {
    /// An issuer with a fresh key.
    pub fn new(url: &str, kid: &str) -> Self {
        let secret: [u8; 32] = rand::random();
        Self { url: url.to_owned(), kid: kid.to_owned(), key: SigningKey::from_bytes(&secret) }
    }

    /// The same issuer with a fresh key under another id.
    pub fn rotated(&self, kid: &str) -> Self {
        Self::new(&self.url, kid)
    }

    /// Its public key as a JWK (RFC 8037).
    pub fn jwk(&self) -> Value {
        let x = BASE64_URL_SAFE_NO_PAD.encode(self.key.verifying_key().as_bytes());
        json!({"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": self.kid, "x": x})
    }

    /// Writes its key set to a file in this folder: the file's path.
    pub(crate) fn write_jwks(&self, folder: &Path) -> PathBuf {
        let path = folder.join("jwks.json");
        std::fs::write(&path, Self::jwks(&[self]).to_string()).expect("the key set is written");
        path
    }

    /// The key set with these issuers' keys.
    pub fn jwks(issuers: &[&Self]) -> Value {
        json!({"keys": issuers.iter().map(|issuer| issuer.jwk()).collect::<Vec<_>>()})
    }
}

/// An access token (RFC 9068) before it is signed.
#[derive(Clone)]
pub struct Token {
    /// The protected header.
    pub header: Map<String, Value>,
    /// The claims.
    pub claims: Map<String, Value>,
    pub(crate) key: SigningKey,
}

impl Token {
    /// A token for `subject` at the resource `audience`, good for an hour, with all that `surface_claims` asks for.
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

    /// A token for `subject` with every scope that the service's routes name.
    pub(crate) fn of_owner(service: &Service, issuer: &Issuer, base_url: &str, subject: &str, now: Timestamp) -> Self {
        let routes = service.routes();
        let permissions = routes.contracts().filter_map(|contract| contract.required());
        let mut scopes: Vec<_> = permissions.map(|permission| permission.scope).collect();
        scopes.sort_unstable();
        scopes.dedup();
        Self::new(issuer, base_url, subject, service.surface, now).scope(&scopes.join(" "))
    }

    /// With exactly these scopes, separated by blanks.
    pub fn scope(mut self, scopes: &str) -> Self {
        self.claims.insert("scope".to_owned(), json!(scopes));
        self
    }

    /// The compact form. The same token always has the same text, for Ed25519 signatures are deterministic.
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
