//! A sign-in in progress. What it must end with is encrypted in a cookie of the browser that started it. Each has a
//! cookie of its own, because people sign in in several tabs.

use actix_web::HttpRequest;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use secrecy::ExposeSecret as _;
use sha2::{Digest as _, Sha256};

use crate::{base::encryption::Encryptor, context::Context, pages::cookies::Cookie};

const PREFIX: &str = "sign-in-";
// Enough for a person to find a second factor.
const LIFETIME_SECONDS: i64 = 300;
// Characters of the state in the cookie's name: 48 random bits, which another site cannot guess.
const NAMED: usize = 8;
// Of all attempts of a browser together: some thirty-five with usual paths. They come with each request, and proxies
// refuse a `Cookie` header of more than 8 KiB. Tabs that start together do not know of each other, so nothing bounds
// them before one of them comes back. With more than seventy such tabs, or fewer with long paths, a proxy refuses each
// page until the attempts expire.
const MAX_BYTES: usize = 4096;
// Proxies refuse long heads of answers, too, and that of a sign-in has the session.
const MAX_CLEARED: usize = 10;

pub struct SignInAttempt {
    /// The issuer returns it (RFC 6749 §10.12).
    pub state: String,
    pub return_to: String,
    /// Unix seconds.
    ends: i64,
}

impl SignInAttempt {
    pub fn begin(context: &Context, return_to: &str) -> Self {
        let state = BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        let ends = context.clock.now().seconds() + LIFETIME_SECONDS;
        Self { state, return_to: return_to.to_owned(), ends }
    }

    /// The secret behind the code challenge (RFC 7636 §4.1), of 256 bits.
    // Derived, so that the cookie need not hold it.
    pub fn verifier(&self, context: &Context) -> String {
        let key = context.secret.derive("verifiers of sign-ins");
        BASE64_URL_SAFE_NO_PAD.encode(key.tag(&[self.state.as_bytes()]))
    }

    /// The code challenge (RFC 7636 §4.2).
    pub fn challenge(&self, context: &Context) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier(context)))
    }

    /// `Set-Cookie` headers that store it, and remove the oldest others when all together are too long.
    pub fn set_cookies(&self, context: &Context, http: &HttpRequest) -> Vec<String> {
        let cookie = cookie(context, http, &self.state);
        let text = format!("{} {}", self.ends, self.return_to);
        let sealed = encryptor(context).encrypt(&text.into(), &associated_data(&cookie, &self.state));
        let mut headers = vec![cookie.set(&sealed, LIFETIME_SECONDS)];
        headers.extend(clear_oldest(context, http, &cookie, cookie.name().len() + sealed.len()));
        headers
    }

    /// The attempt with this state that this browser started, unless it has expired.
    pub fn from_cookie(context: &Context, http: &HttpRequest, state: &str) -> Option<Self> {
        let cookie = cookie(context, http, state);
        let text = encryptor(context).decrypt(cookie.value(http)?, &associated_data(&cookie, state))?;
        let (ends, return_to) = text.expose_secret().split_once(' ')?;
        let attempt = Self { state: state.to_owned(), return_to: return_to.to_owned(), ends: ends.parse().ok()? };
        (context.clock.now().seconds() < attempt.ends).then_some(attempt)
    }

    /// `Set-Cookie` headers that remove it, because it is used once, and the oldest others when they are too long.
    pub fn clear_cookies(&self, context: &Context, http: &HttpRequest) -> Vec<String> {
        let cookie = cookie(context, http, &self.state);
        let mut headers = vec![cookie.clear()];
        headers.extend(clear_oldest(context, http, &cookie, 0));
        headers
    }
}

fn cookie(context: &Context, http: &HttpRequest, state: &str) -> Cookie {
    let name = state.get(..NAMED).unwrap_or_default();
    Cookie::for_request(context, http, &format!("{PREFIX}{name}"))
}

/// `Set-Cookie` headers that remove the oldest attempts, if those that are not `own` are too long together with it.
fn clear_oldest(context: &Context, http: &HttpRequest, own: &Cookie, own_bytes: usize) -> Vec<String> {
    let mut room = MAX_BYTES.saturating_sub(own_bytes);
    let mut headers = Vec::new();
    for other in Cookie::for_request(context, http, PREFIX).alike(http).into_iter().rev() {
        if other.name() == own.name() {
            continue;
        }
        let bytes = other.name().len() + other.value(http).map_or(0, str::len);
        match room.checked_sub(bytes) {
            Some(left) => room = left,
            None => headers.push(other.clear()),
        }
    }
    headers.truncate(MAX_CLEARED);
    headers
}

/// With the whole state: only who brings it back can decrypt.
fn associated_data(cookie: &Cookie, state: &str) -> String {
    format!("{} {state}", cookie.name())
}

fn encryptor(context: &Context) -> Encryptor {
    Encryptor::new(&context.secret, "sign-ins to pages")
}
