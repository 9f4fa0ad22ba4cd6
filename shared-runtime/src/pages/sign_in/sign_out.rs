//! `POST /sign-out`: the browser forgets the session. The access token stays good until it expires or its grant is revoked.

use maud::html;
use shared_model::Error;

use crate::pages::{
    page::{Page, Redirect},
    serve::{SIGN_IN_PATH, SIGNED_OUT_PATH},
    session,
    visit::{SignedIn, Visit},
};

/// Ends the session in this browser.
pub async fn sign_out(visit: SignedIn) -> Result<Redirect, Error> {
    Ok(Redirect::to(SIGNED_OUT_PATH).cookie(session::end(&visit.context, &visit.http)))
}

/// `GET /signed-out`: says so.
pub async fn signed_out(_: Visit) -> Result<Page, Error> {
    let body = html! {
        p { "This browser has forgotten the session." }
        p { a.button href=(SIGN_IN_PATH) { "Sign in" } }
    };
    Ok(Page::new("You are signed out", body))
}
