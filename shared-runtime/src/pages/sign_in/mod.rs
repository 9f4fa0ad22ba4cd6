//! Signing in at the issuer, as a public client. This is the authorization code flow of OAuth 2.0 (RFC 6749 §4.1) with
//! PKCE (RFC 7636).
//!
//! The result is an access token for this service, like that of any other client (RFC 8707). It is encrypted in the
//! session's cookie and verified at every request, like a bearer token. After it has expired or been revoked, the
//! person signs in again.

mod attempt;
mod callback;
mod discovery;
mod error_pages;
mod return_to;
mod settings;
mod sign_out;
mod start;

use discovery::Discovery;
pub use settings::{SignInClient, SignInSettings};

use super::{
    layout::{SESSION_PATH, SIGN_OUT_PATH},
    routes::Pages,
    serve::{CALLBACK_PATH, SIGN_IN_PATH, SIGNED_OUT_PATH},
};

pub fn declare(pages: &mut Pages) {
    pages.state(Discovery::default());
    pages.get(SIGN_IN_PATH, "sign_in_page", start::start).takes(&["return_to"]);
    pages
        .get(CALLBACK_PATH, "sign_in_callback_page", callback::callback)
        .takes(&["code", "state", "iss", "error"])
        .ignores_others();
    pages.post(SIGN_OUT_PATH, "sign_out_page", sign_out::sign_out).takes(&[sign_out::SCOPE_FIELD]);
    pages.get(SESSION_PATH, "session_page", sign_out::show);
    pages.get(SIGNED_OUT_PATH, "signed_out_page", sign_out::signed_out);
}
