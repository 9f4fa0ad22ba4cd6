//! Pages for failed sign-ins.

use actix_web::http::StatusCode;
use maud::html;

use crate::pages::{page::Page, serve::SIGN_IN_PATH};

pub fn not_set_up() -> Page {
    let body = html! {
        p { "The operator of this service has not set up a sign-in for people (" code { "SIGN_IN_CLIENT_ID" } "). The API works without it." }
    };
    Page::new("Nobody can sign in here", body).status(StatusCode::SERVICE_UNAVAILABLE)
}

/// The browser did not start this sign-in.
pub fn not_begun_here() -> Page {
    again(
        "The sign-in cannot be completed",
        "It was started in another browser, more than ten minutes ago, or is already complete.",
        StatusCode::BAD_REQUEST,
    )
}

/// The issuer returned without a code.
pub fn declined() -> Page {
    again("You are not signed in", "The sign-in was declined.", StatusCode::FORBIDDEN)
}

/// The issuer refused its own code, or sent a malformed one.
pub fn refused() -> Page {
    again("You are not signed in", "The sign-in was not confirmed.", StatusCode::FORBIDDEN)
}

/// The service does not accept the issuer's token.
pub fn not_accepted(reason: &str) -> Page {
    again("You are not signed in", reason, StatusCode::FORBIDDEN)
}

fn again(title: &str, reason: &str, status: StatusCode) -> Page {
    let body = html! {
        p { (reason) }
        p { a.button href=(SIGN_IN_PATH) { "Sign in again" } }
    };
    Page::new(title, body).status(status)
}
