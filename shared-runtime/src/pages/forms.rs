//! Hidden fields of forms, and the bodies of submissions.

use actix_web::{
    HttpRequest,
    http::header::{self, HeaderMap},
    web,
};
use maud::{Markup, html};
use shared_model::{Error, Problem, Refusal, code};

use super::{
    hidden_fields::{CSRF, KEY},
    session::Session,
};
use crate::http::incoming_body::IncomingBody;

const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

/// A form with its hidden fields.
pub fn form(session: &Session, action: &str, key: &str, inside: Markup) -> Markup {
    encoded(session, action, key, (None, inside))
}

/// The same with a file input.
pub fn file_form(session: &Session, action: &str, key: &str, inside: Markup) -> Markup {
    encoded(session, action, key, (Some("multipart/form-data"), inside))
}

fn encoded(session: &Session, action: &str, key: &str, (encoding, inside): (Option<&str>, Markup)) -> Markup {
    html! {
        form method="post" action=(action) enctype=[encoding] {
            input type="hidden" name=(CSRF) value=(session.csrf()) {}
            input type="hidden" name=(KEY) value=(key) {}
            (inside)
        }
    }
}

/// The encoded fields.
pub async fn read(http: &HttpRequest, mut body: IncomingBody) -> Result<web::BytesMut, Error> {
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
