//! The cast: an issuer of tokens, and callers whose tokens say whatever a test wants them to say.

use std::{rc::Rc, time::Duration};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Map, Value, json};
use shared_model::Timestamp;
use shared_runtime::base::surface::{Claim, Surface};

use crate::{Request, stage::TestServer};

/// An authorization server, as far as a service sees it: a name and a key.
#[derive(Clone)]
pub struct Issuer {
    /// `iss`.
    pub url: String,
    /// The id of its key.
    pub kid: String,
    key: SigningKey,
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
    key: SigningKey,
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

/// Someone who sends requests to the stage: with a token, with a broken one, or without any.
#[derive(Clone)]
pub struct Caller {
    server: Rc<TestServer>,
    access: Access,
}

#[derive(Clone)]
enum Access {
    None,
    Token(Box<Token>),
    Text(String),
}

impl Caller {
    pub(crate) fn anonymous(server: Rc<TestServer>) -> Self {
        Self { server, access: Access::None }
    }

    /// Someone without a token who calls another server of this machine, one that is no stage.
    pub fn at(address: std::net::SocketAddr) -> Self {
        Self::anonymous(Rc::new(TestServer::at(address)))
    }

    pub(crate) fn with_token(server: Rc<TestServer>, token: Token) -> Self {
        Self { server, access: Access::Token(Box::new(token)) }
    }

    /// With exactly these scopes, separated by blanks.
    pub fn scope(self, scopes: &str) -> Self {
        self.claim("scope", scopes)
    }

    /// With the grant of this workspace: `ws_{number}`.
    pub fn workspace(self, number: i64) -> Self {
        self.claim("workspace_id", format!("ws_{number}"))
    }

    /// With another value of a claim.
    pub fn claim(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.with(|token| token.claims.insert(name.to_owned(), value.into()));
        self
    }

    /// Without a claim.
    pub fn without_claim(mut self, name: &str) -> Self {
        self.with(|token| token.claims.remove(name));
        self
    }

    /// With another value of a member of the token's header.
    pub fn token_header(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.with(|token| token.header.insert(name.to_owned(), value.into()));
        self
    }

    /// With the signature of another issuer's key; the claims stay.
    pub fn signed_by(mut self, issuer: &Issuer) -> Self {
        self.with(|token| token.key = issuer.key.clone());
        self
    }

    /// With this text in place of a token.
    pub fn bearer(mut self, text: impl Into<String>) -> Self {
        self.access = Access::Text(text.into());
        self
    }

    /// The token's text. Fails the test when there is none.
    pub fn token(&self) -> String {
        self.access_token().expect("an anonymous caller has no token")
    }

    /// A claim that is text, like `sub` or `grant_id`.
    pub fn claim_text(&self, name: &str) -> String {
        let Access::Token(token) = &self.access else { panic!("only a token has claims") };
        token.claims.get(name).and_then(Value::as_str).expect("a claim that is text").to_owned()
    }

    /// A GET.
    pub fn get(&self, path: impl Into<String>) -> Request {
        self.request("GET", path)
    }

    /// A HEAD.
    pub fn head(&self, path: impl Into<String>) -> Request {
        self.request("HEAD", path)
    }

    /// A POST, without a body until [`Request::json`] gives it one.
    pub fn post(&self, path: impl Into<String>) -> Request {
        self.request("POST", path)
    }

    /// Any method.
    pub fn request(&self, method: &str, path: impl Into<String>) -> Request {
        let request = Request::new(Rc::clone(&self.server), method, path.into());
        match self.access_token() {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    fn access_token(&self) -> Option<String> {
        match &self.access {
            Access::None => None,
            Access::Token(token) => Some(token.sign()),
            Access::Text(text) => Some(text.clone()),
        }
    }

    fn with<T>(&mut self, change: impl FnOnce(&mut Token) -> T) {
        match &mut self.access {
            Access::Token(token) => drop(change(token)),
            Access::None | Access::Text(_) => panic!("only a caller with a token has claims"),
        }
    }
}
