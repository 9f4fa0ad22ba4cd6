//! A session: an access token in a sealed cookie. The service keeps nothing of it, and the token is verified at every request.

use std::sync::Arc;

use actix_web::HttpRequest;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use shared_model::{Failure, Secret, Timestamp};
use subtle::ConstantTimeEq as _;

use super::cookies::Cookie;
use crate::{base::encryption::Encryptor, context::Context, identity::Identity};

/// What the cookie is called.
const PURPOSE: &str = "session";
/// Bytes of a cookie that every browser keeps (RFC 6265 §6.1): name, value and attributes.
const MAX_BYTES: usize = 4096;

/// A session of somebody who has signed in.
pub struct Session {
    /// Who it is.
    pub identity: Arc<Identity>,
    csrf: String,
}

/// What is sealed in the cookie.
#[derive(Serialize, Deserialize)]
struct Sealed {
    token: String,
    /// Random: what belongs to one session only is derived from it.
    id: String,
}

/// The token in a request's cookie, not verified yet.
pub struct Presented {
    /// The access token.
    pub token: SecretString,
    id: String,
}

impl Presented {
    /// What the request's cookie holds; `None` without one, or with one that this service has not made.
    pub fn read(context: &Context, http: &HttpRequest) -> Option<Self> {
        let cookie = Cookie::of(context, http, PURPOSE);
        let text = encryptor(&context.secret).decrypt(cookie.value(http)?, cookie.name())?;
        let sealed: Sealed = serde_json::from_str(text.expose_secret()).ok()?;
        Some(Self { token: sealed.token.into(), id: sealed.id })
    }

    /// The session, of whom the token belongs to.
    pub fn session(self, context: &Context, identity: Arc<Identity>) -> Session {
        Session { identity, csrf: csrf(&context.secret, &self.id) }
    }
}

impl Session {
    /// What the forms of this session carry.
    pub fn csrf(&self) -> &str {
        &self.csrf
    }

    /// Whether this is what the forms of this session carry, in a time that tells nothing of where it differs.
    pub fn has_csrf(&self, text: &str) -> bool {
        self.csrf.as_bytes().ct_eq(text.as_bytes()).into()
    }

    /// A name for people.
    pub fn display_name(&self) -> &str {
        self.identity.actor.as_ref().map_or(&self.identity.subject, |actor| &actor.display_name)
    }
}

/// `Set-Cookie` that begins a session with this token; `None` where the cookie would be too long for browsers.
pub fn begin(
    context: &Context,
    http: &HttpRequest,
    token: &str,
    expires_at: Timestamp,
) -> Result<Option<String>, Failure> {
    let cookie = Cookie::of(context, http, PURPOSE);
    let value = seal(&context.secret, cookie.name(), token)?;
    let header = cookie.set(&value, expires_at.seconds() - context.clock.now().seconds());
    Ok((header.len() <= MAX_BYTES).then_some(header))
}

/// `name=value` of a session's cookie at the service's base URL, for tests.
pub fn session_cookie(context: &Context, token: &str) -> Result<String, Failure> {
    let cookie = Cookie::asked_at(context.base_url(), context, PURPOSE);
    Ok(format!("{}={}", cookie.name(), seal(&context.secret, cookie.name(), token)?))
}

/// `Set-Cookie` that ends a session in the browser.
pub fn end(context: &Context, http: &HttpRequest) -> String {
    Cookie::of(context, http, PURPOSE).clear()
}

/// The value of the cookie with this name.
fn seal(secret: &Secret, name: &str, token: &str) -> Result<String, Failure> {
    let sealed = Sealed { token: token.to_owned(), id: hex::encode(rand::random::<[u8; 16]>()) };
    Ok(encryptor(secret).encrypt(&serde_json::to_string(&sealed)?.into(), name))
}

fn encryptor(secret: &Secret) -> Encryptor {
    Encryptor::new(secret, "sessions of pages")
}

fn csrf(secret: &Secret, id: &str) -> String {
    hex::encode(secret.derive("forms of pages").tag(&[id.as_bytes()]))
}
