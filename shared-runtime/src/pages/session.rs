//! Sessions: an access token in an encrypted cookie, verified at every request. The service stores only which sessions
//! people have ended.

use std::sync::Arc;

use actix_web::HttpRequest;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use shared_model::{Error, Failure, Secret, Timestamp};
use subtle::ConstantTimeEq as _;

use super::{
    cookies::Cookie,
    ended_sessions::{self, SessionKey},
};
use crate::{
    base::{encryption::Encryptor, surface::Surface},
    context::Context,
    identity::{Identity, claims},
};

const PURPOSE: &str = "session";
// Browsers keep cookies of at least this size (RFC 6265 §6.1), with name and attributes.
const MAX_BYTES: usize = 4096;
/// Access tokens of this length fit into the cookie of every service.
const MAX_TOKEN_BYTES: usize = 2880;

pub struct Session {
    pub identity: Arc<Identity>,
    csrf: String,
    key: SessionKey,
}

/// The encrypted content of the cookie.
#[derive(Serialize, Deserialize)]
struct Sealed {
    token: String,
    /// Random. The CSRF token of the session is derived from it.
    id: String,
    began_at: Timestamp,
}

/// The content of a request's cookie, not verified yet.
pub struct SessionCookie {
    pub token: SecretString,
    id: String,
    began_at: Timestamp,
}

impl SessionCookie {
    /// `None` without a cookie, or with one that this service did not make.
    pub fn read(context: &Context, http: &HttpRequest) -> Option<Self> {
        let cookie = Cookie::for_request(context, http, PURPOSE);
        let text = encryptor(&context.secret).decrypt(cookie.value(http)?, cookie.name())?;
        let sealed: Sealed = serde_json::from_str(text.expose_secret()).ok()?;
        Some(Self { token: sealed.token.into(), id: sealed.id, began_at: sealed.began_at })
    }

    /// The session of the token's verified identity; `None` if the person has ended it.
    pub async fn session(self, context: &Context, identity: Arc<Identity>) -> Result<Option<Session>, Error> {
        let csrf = csrf(&context.secret, &self.id);
        let key = SessionKey { subject: identity.subject.clone(), session: self.id, began_at: self.began_at };
        // After the token was verified: otherwise anybody could make the database work.
        let has_ended = ended_sessions::has_ended(&context.db, key.clone()).await?;
        Ok((!has_ended).then_some(Session { identity, csrf, key }))
    }
}

impl Session {
    /// The hidden value of this session's forms.
    pub fn csrf(&self) -> &str {
        &self.csrf
    }

    /// Compares in constant time.
    pub fn has_csrf(&self, text: &str) -> bool {
        self.csrf.as_bytes().ct_eq(text.as_bytes()).into()
    }

    pub fn began_at(&self) -> Timestamp {
        self.key.began_at
    }

    /// From now on no browser has this session, also if its cookie was copied.
    pub async fn end(&self, context: &Context) -> Result<(), Error> {
        // Its token is accepted a little longer than it says.
        let until = self.identity.expires_at.plus(claims::LEEWAY);
        ended_sessions::end(&context.db, self.key.clone(), context.clock.now(), until).await
    }

    /// The same for all sessions of the person.
    pub async fn end_all(&self, context: &Context) -> Result<(), Error> {
        ended_sessions::end_all(&context.db, self.key.clone(), context.clock.now()).await
    }

    pub fn display_name(&self) -> &str {
        self.identity.actor.as_ref().map_or(&self.identity.subject, |actor| &actor.display_name)
    }
}

/// A `Set-Cookie` header that starts a session.
pub fn begin(context: &Context, http: &HttpRequest, token: &str, expires_at: Timestamp) -> Result<String, Failure> {
    let cookie = Cookie::for_request(context, http, PURPOSE);
    let value = seal(&context.secret, cookie.name(), token, context.clock.now())?;
    let header = cookie.set(&value, expires_at.seconds() - context.clock.now().seconds());
    // Browsers silently drop longer cookies, and the person would sign in again and again.
    if header.len() > MAX_BYTES {
        let most = format!("the issuer's access token is too long for a cookie: {MAX_TOKEN_BYTES} bytes at most");
        return Err(Failure::fault(most));
    }
    Ok(header)
}

/// `name=value` of the cookie of a service with this base URL and secret, for tests.
pub fn session_cookie(
    surface: &Surface,
    base_url: &str,
    secret: &Secret,
    token: &str,
    now: Timestamp,
) -> Result<String, Failure> {
    let cookie = Cookie::for_resource(base_url, surface, PURPOSE);
    Ok(format!("{}={}", cookie.name(), seal(secret, cookie.name(), token, now)?))
}

/// A `Set-Cookie` header that ends the session in the browser.
// None without a cookie: another site could send a form, which comes without it, and would sign the person out.
pub fn end(context: &Context, http: &HttpRequest) -> Option<String> {
    let cookie = Cookie::for_request(context, http, PURPOSE);
    cookie.value(http).map(|_| cookie.clear())
}

/// The value for the cookie of this name.
fn seal(secret: &Secret, name: &str, token: &str, now: Timestamp) -> Result<String, Failure> {
    let id = hex::encode(rand::random::<[u8; 16]>());
    let sealed = Sealed { token: token.to_owned(), id, began_at: now };
    Ok(encryptor(secret).encrypt(&serde_json::to_string(&sealed)?.into(), name))
}

fn encryptor(secret: &Secret) -> Encryptor {
    // A key of its own: no other sealed value can be replayed as a session.
    Encryptor::new(secret, "sessions of pages")
}

fn csrf(secret: &Secret, id: &str) -> String {
    hex::encode(secret.derive("forms of pages").tag(&[id.as_bytes()]))
}

#[cfg(test)]
mod tests {
    use shared_model::{Envelope, code};

    use super::*;

    // No service has a longer name.
    static SURFACE: Surface = Surface {
        name: "orders",
        title: "An API",
        about: "Nothing but a test.",
        version: "v1",
        envelope: Envelope::TopLevel,
        invalid_field: &code::INVALID_FIELD,
        wrong_method: &code::METHOD_NOT_ALLOWED,
        body_bytes: 1024,
        port: 8083,
        claims: &[],
        codes: &[],
    };

    #[test]
    fn a_token_of_2880_bytes_fits_into_a_cookie() {
        let cookie = Cookie::for_resource("https://orders.example", &SURFACE, PURPOSE);
        let token = "t".repeat(MAX_TOKEN_BYTES);
        let value = seal(&Secret::from_bytes([7; 32]), cookie.name(), &token, Timestamp::from_seconds(0));
        // For 30 days: no token is valid for longer.
        let header = cookie.set(&value.expect("sealed"), 2_592_000);
        assert!((MAX_BYTES - 20..=MAX_BYTES).contains(&header.len()), "{}", header.len());
    }
}
