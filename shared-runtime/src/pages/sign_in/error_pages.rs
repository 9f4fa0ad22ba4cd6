//! Pages for failed sign-ins.

use actix_web::http::StatusCode;
use maud::{Render, html};

use crate::pages::{error_page::in_english, page::Page, serve::SIGN_IN_PATH, text::Text};

pub fn not_set_up() -> Page {
    let body = html! {
        p {
            (text!("The operator of this service has not set up a sign-in for people ({setting}). The API works without it.",
                setting = html! { code { "SIGN_IN_CLIENT_ID" } }))
        }
    };
    Page::new(text!("Nobody can sign in here"), body).status(StatusCode::SERVICE_UNAVAILABLE)
}

/// The browser did not start this sign-in.
pub fn not_begun_here() -> Page {
    again(
        text!("The sign-in cannot be completed"),
        text!("It was started in another browser, more than five minutes ago, or is already complete."),
        StatusCode::BAD_REQUEST,
    )
}

/// The issuer returned without a code.
pub fn declined() -> Page {
    again(text!("You are not signed in"), text!("The sign-in was declined."), StatusCode::FORBIDDEN)
}

/// The issuer refused its own code, or sent a malformed one.
pub fn refused() -> Page {
    again(text!("You are not signed in"), text!("The sign-in was not confirmed."), StatusCode::FORBIDDEN)
}

/// The service does not accept the issuer's token.
pub fn not_accepted(reason: &str) -> Page {
    again(text!("You are not signed in"), in_english(reason), StatusCode::FORBIDDEN)
}

fn again(title: Text, reason: impl Render, status: StatusCode) -> Page {
    let body = html! {
        p { (reason) }
        p { a.button href=(SIGN_IN_PATH) { (text!("Sign in again")) } }
    };
    Page::new(title, body).status(status)
}
