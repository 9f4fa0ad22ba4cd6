//! A sign-in in progress. What it must end with is encrypted in a cookie of the browser that started it. Each has a
//! cookie of its own, because people sign in in several tabs.

use actix_web::HttpRequest;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use shared_model::Failure;
use subtle::ConstantTimeEq as _;

use crate::{base::encryption::Encryptor, context::Context, pages::cookies::Cookie};

const PREFIX: &str = "sign-in-";
// Enough for a person to find a second factor.
const LIFETIME_SECONDS: i64 = 600;
// Characters of the state in the cookie's name: 48 random bits, which another site cannot guess.
const NAMED: usize = 8;
// Of all attempts of a browser together. They come with each request, and proxies refuse long heads.
const MAX_BYTES: usize = 4096;

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

    /// `Set-Cookie` headers that store it, and remove the oldest others when all together are too long.
    pub fn set_cookies(&self, context: &Context, http: &HttpRequest) -> Result<Vec<String>, Failure> {
        let cookie = cookie(context, http, &self.state);
        let sealed = encryptor(context).encrypt(&serde_json::to_string(self)?.into(), cookie.name());
        let mut room = MAX_BYTES.saturating_sub(cookie.name().len() + sealed.len());
        let mut headers = vec![cookie.set(&sealed, LIFETIME_SECONDS)];
        for other in Cookie::for_request(context, http, PREFIX).alike(http).into_iter().rev() {
            let bytes = other.name().len() + other.value(http).map_or(0, str::len);
            match room.checked_sub(bytes) {
                Some(left) => room = left,
                None => headers.push(other.clear()),
            }
        }
        Ok(headers)
    }

    /// The one with this state that this browser started, unless it has expired.
    pub fn from_cookie(context: &Context, http: &HttpRequest, state: &str) -> Option<Self> {
        let cookie = cookie(context, http, state);
        let text = encryptor(context).decrypt(cookie.value(http)?, cookie.name())?;
        let attempt: Self = serde_json::from_str(text.expose_secret()).ok()?;
        (attempt.has_state(state) && context.clock.now().seconds() < attempt.ends).then_some(attempt)
    }

    /// A `Set-Cookie` header that removes it: it is used once.
    pub fn clear_cookie(&self, context: &Context, http: &HttpRequest) -> String {
        cookie(context, http, &self.state).clear()
    }

    /// Compares in constant time.
    fn has_state(&self, text: &str) -> bool {
        self.state.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

fn cookie(context: &Context, http: &HttpRequest, state: &str) -> Cookie {
    let name = state.get(..NAMED).unwrap_or_default();
    Cookie::for_request(context, http, &format!("{PREFIX}{name}"))
}

fn encryptor(context: &Context) -> Encryptor {
    Encryptor::new(&context.secret, "sign-ins to pages")
}
