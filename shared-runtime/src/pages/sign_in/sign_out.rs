//! `POST /sign-out`: the browser forgets the session. The access token stays valid until it expires or its grant is
//! revoked.

use maud::html;
use shared_model::Error;

use crate::pages::{
    page::{Page, Redirect},
    request::{PageRequest, SignedIn},
    serve::{SIGN_IN_PATH, SIGNED_OUT_PATH},
    session,
};

pub async fn sign_out(visit: SignedIn) -> Result<Redirect, Error> {
    Ok(Redirect::to(SIGNED_OUT_PATH).cookies(session::end(&visit.context, &visit.http)))
}

/// `GET /signed-out`.
pub async fn signed_out(_: PageRequest) -> Result<Page, Error> {
    let body = html! {
        p { "You are signed out in this browser." }
        p { a.button href=(SIGN_IN_PATH) { "Sign in" } }
    };
    Ok(Page::new("You are signed out", body))
}
