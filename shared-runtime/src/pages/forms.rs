//! Hidden fields of forms, and the bodies of submissions.

use actix_web::{
    HttpRequest,
    http::header::{self, HeaderMap},
    web,
};
use maud::{Markup, html};
use shared_model::{Error, Problem, Refusal, code};

use super::session::Session;
use crate::{
    context::Context,
    http::{
        grant_check::GrantCheck,
        incoming_body::{BodyTimeouts, IncomingBody},
    },
};

const MAX_BYTES: usize = 64 * 1024;
/// Proves that the service made the form, for this session.
pub const CSRF: &str = "csrf";
/// The form's idempotency key: submitted twice, it happens once.
pub const KEY: &str = "key";

const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

/// A form with its hidden fields.
pub fn form(session: &Session, action: &str, key: &str, inside: Markup) -> Markup {
    html! {
        form method="post" action=(action) {
            input type="hidden" name=(CSRF) value=(session.csrf()) {}
            input type="hidden" name=(KEY) value=(key) {}
            (inside)
        }
    }
}

pub async fn read(
    context: &Context,
    http: &HttpRequest,
    payload: web::Payload,
    check: Option<GrantCheck>,
) -> Result<web::BytesMut, Error> {
    let within = context.settings.body_timeout;
    let timeouts = BodyTimeouts { pause: within, total: within };
    let mut body = IncomingBody::new(http, payload, MAX_BYTES, timeouts)?.checked(check);
    let mut bytes = web::BytesMut::new();
    while let Some(chunk) = body.next().await? {
        bytes.extend_from_slice(&chunk);
    }
    // After the body is read: a browser that is still sending would not show the page of the refusal.
    check_media_type(http.headers())?;
    Ok(bytes)
}

fn check_media_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut types = headers.get_all(header::CONTENT_TYPE);
    let (first, another) = (types.next().and_then(|value| value.to_str().ok()), types.next());
    let essence = first.and_then(|text| text.split(';').next()).map(str::trim);
    if another.is_none() && essence.is_some_and(|essence| essence.eq_ignore_ascii_case(MEDIA_TYPE)) {
        return Ok(());
    }
    let problem = Problem { at: "Content-Type".to_owned(), rule: format!("must be {MEDIA_TYPE}, sent once") };
    Err(Refusal::problems(&code::UNSUPPORTED_MEDIA_TYPE, vec![problem]))
}
