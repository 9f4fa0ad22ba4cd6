//! A sign-in in progress. What it must end with is encrypted in a cookie of the browser that started it.

use actix_web::HttpRequest;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use shared_model::Failure;
use subtle::ConstantTimeEq as _;

use crate::{base::encryption::Encryptor, context::Context, pages::cookies::Cookie};

const PURPOSE: &str = "sign-in";
// Enough for a person to find a second factor.
const LIFETIME_SECONDS: i64 = 600;

#[derive(Serialize, Deserialize)]
pub struct SignInAttempt {
    /// The issuer returns it (RFC 6749 §10.12).
    pub state: String,
    /// The secret behind the code challenge (RFC 7636 §4.1).
    pub verifier: String,
    pub return_to: String,
    /// Unix seconds.
    ends: i64,
}

impl SignInAttempt {
    pub fn begin(context: &Context, return_to: &str) -> Self {
        // 256 bits, more than RFC 7636 §4.1 asks for.
        let random = || BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        let ends = context.clock.now().seconds() + LIFETIME_SECONDS;
        Self { state: random(), verifier: random(), return_to: return_to.to_owned(), ends }
    }

    /// The code challenge (RFC 7636 §4.2).
    pub fn challenge(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&self.verifier))
    }

    /// A `Set-Cookie` header that stores it.
    pub fn set_cookie(&self, context: &Context, http: &HttpRequest) -> Result<String, Failure> {
        let cookie = Cookie::for_request(context, http, PURPOSE);
        let sealed = encryptor(context).encrypt(&serde_json::to_string(self)?.into(), cookie.name());
        Ok(cookie.set(&sealed, LIFETIME_SECONDS))
    }

    /// The one that this browser started, unless it has expired.
    pub fn from_cookie(context: &Context, http: &HttpRequest) -> Option<Self> {
        let cookie = Cookie::for_request(context, http, PURPOSE);
        let text = encryptor(context).decrypt(cookie.value(http)?, cookie.name())?;
        let attempt: Self = serde_json::from_str(text.expose_secret()).ok()?;
        (context.clock.now().seconds() < attempt.ends).then_some(attempt)
    }

    /// A `Set-Cookie` header that removes it: it is used once.
    pub fn clear_cookie(context: &Context, http: &HttpRequest) -> String {
        Cookie::for_request(context, http, PURPOSE).clear()
    }

    /// Compares in constant time.
    pub fn has_state(&self, text: &str) -> bool {
        self.state.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

fn encryptor(context: &Context) -> Encryptor {
    Encryptor::new(&context.secret, "sign-ins to pages")
}
