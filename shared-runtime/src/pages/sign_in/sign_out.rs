//! `POST /sign-out`: ends the session, or all sessions of the person. No page takes their access token anymore. It
//! stays valid until it expires or its grant is revoked.

use maud::html;
use shared_model::{Error, code};

use crate::pages::{
    layout::SIGN_OUT_PATH,
    page::{Page, Redirect},
    request::{PageRequest, SignedIn},
    serve::{SIGN_IN_PATH, SIGNED_OUT_PATH},
    session,
    units::time,
};

pub const SCOPE_FIELD: &str = "sessions";
const ALL: &str = "all";

pub async fn sign_out(visit: SignedIn) -> Result<Redirect, Error> {
    let session = visit.session();
    match visit.value(SCOPE_FIELD) {
        None => session.end(&visit.context).await?,
        Some(ALL) => session.end_all(&visit.context).await?,
        // A slip must not end less than the person wants.
        Some(_) => return Err(code::invalid_parameter(SCOPE_FIELD, "must be all, or missing").into()),
    }
    Ok(Redirect::to(SIGNED_OUT_PATH).cookies(session::end(&visit.context, &visit.http)))
}

/// `GET /signed-out`.
pub async fn signed_out(_: PageRequest) -> Result<Page, Error> {
    let body = html! {
        p { (text!("You are signed out. Sign in to continue.")) }
        p {
            (text!("This ended your session at this service only. On a computer that others use, sign out at your sign-in service, too."))
        }
        p { a.button href=(SIGN_IN_PATH) { (text!("Sign in")) } }
    };
    Ok(Page::new(text!("You are signed out"), body))
}

/// `GET /session`: who is signed in, until when, and the sign-out everywhere.
pub async fn show(visit: SignedIn) -> Result<Page, Error> {
    let session = visit.session();
    let everywhere = html! {
        button.danger name=(SCOPE_FIELD) value=(ALL) { (text!("Sign out everywhere")) }
    };
    let body = html! {
        dl.facts {
            div { dt { (text!("Signed in as")) } dd { bdi { (session.display_name()) } } }
            div { dt { (text!("Since")) } dd { (time(session.began_at())) } }
            div { dt { (text!("Until")) } dd { (time(session.identity.expires_at)) } }
        }
        (visit.form(SIGN_OUT_PATH, html! { button.quiet { (text!("Sign out in this browser")) } }))
        h2 { (text!("All your sessions")) }
        p {
            (text!("Did you sign in on a device that you no longer have? End your sessions at this service in all browsers, this one too."))
        }
        p { (text!("Then sign out at your sign-in service, which may let that device in again.")) }
        (visit.form(SIGN_OUT_PATH, everywhere))
    };
    Ok(Page::new(text!("Your session"), body))
}
