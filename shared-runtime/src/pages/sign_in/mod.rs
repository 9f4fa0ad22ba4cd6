//! Signing in at the issuer: the authorization code flow of OAuth 2.0 (RFC 6749 §4.1) with PKCE (RFC 7636), as a public client.
//!
//! What is got is an access token like that of any other client, for this service (RFC 8707). It is sealed into the session's
//! cookie, and verified at every request as a bearer token would be: an expired or revoked one leads to the sign-in again.

mod attempt;
mod callback;
mod discovery;
mod return_to;
mod sign_out;
mod start;
mod trouble;

pub use discovery::Discovery;

use super::{
    layout::SIGN_OUT_PATH,
    serve::{CALLBACK_PATH, SIGN_IN_PATH, SIGNED_OUT_PATH},
    table::Pages,
};

/// Declares the pages of the sign-in.
pub fn declare(pages: &mut Pages) {
    pages.get(SIGN_IN_PATH, "sign_in_page", start::start).takes(&["return_to"]);
    pages
        .get(CALLBACK_PATH, "sign_in_callback_page", callback::callback)
        .takes(&["code", "state", "iss", "error"])
        .ignores_others();
    pages.post(SIGN_OUT_PATH, "sign_out_page", sign_out::sign_out);
    pages.get(SIGNED_OUT_PATH, "signed_out_page", sign_out::signed_out);
}
