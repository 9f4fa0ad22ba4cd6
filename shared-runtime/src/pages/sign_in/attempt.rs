//! A sign-in that has begun: what it must end with is sealed in a cookie of the browser that began it.

use actix_web::HttpRequest;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use shared_model::Failure;
use subtle::ConstantTimeEq as _;

use crate::{base::encryption::Encryptor, context::Context, pages::cookies::Cookie};

const PURPOSE: &str = "sign-in";
/// How long a person may take.
const SECONDS: i64 = 600;

/// A sign-in that has begun.
#[derive(Serialize, Deserialize)]
pub struct Attempt {
    /// What the issuer sends back (RFC 6749 §10.12).
    pub state: String,
    /// What the code challenge is made of (RFC 7636 §4.1).
    pub verifier: String,
    /// Where it leads back to.
    pub return_to: String,
    /// When it is over, in seconds.
    ends: i64,
}

impl Attempt {
    /// A new one.
    pub fn begin(context: &Context, return_to: &str) -> Self {
        let random = || BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        let ends = context.clock.now().seconds() + SECONDS;
        Self { state: random(), verifier: random(), return_to: return_to.to_owned(), ends }
    }

    /// The code challenge (RFC 7636 §4.2).
    pub fn challenge(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&self.verifier))
    }

    /// `Set-Cookie` that keeps it.
    pub fn keep(&self, context: &Context, http: &HttpRequest) -> Result<String, Failure> {
        let cookie = Cookie::of(context, http, PURPOSE);
        let sealed = encryptor(context).encrypt(&serde_json::to_string(self)?.into(), cookie.name());
        Ok(cookie.set(&sealed, SECONDS))
    }

    /// The one that this browser has begun, if it is not over.
    pub fn kept(context: &Context, http: &HttpRequest) -> Option<Self> {
        let cookie = Cookie::of(context, http, PURPOSE);
        let text = encryptor(context).decrypt(cookie.value(http)?, cookie.name())?;
        let attempt: Self = serde_json::from_str(text.expose_secret()).ok()?;
        (context.clock.now().seconds() < attempt.ends).then_some(attempt)
    }

    /// `Set-Cookie` that ends it: it is used once.
    pub fn end(context: &Context, http: &HttpRequest) -> String {
        Cookie::of(context, http, PURPOSE).clear()
    }

    /// Whether this is its state, in a time that tells nothing of where it differs.
    pub fn has_state(&self, text: &str) -> bool {
        self.state.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

fn encryptor(context: &Context) -> Encryptor {
    Encryptor::new(&context.secret, "sign-ins to pages")
}
