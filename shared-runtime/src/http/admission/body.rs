//! Reads a request body within its limits of size and time, as JSON, text, or a stream of bytes.

use std::{cell::Cell, time::Duration};

use actix_web::{
    HttpRequest,
    http::header::{self, HeaderMap},
    web,
};
use serde_json::Value;
use shared_model::{
    Code, Error, Problem, Refusal, code,
    json::{self, MalformedJson},
};

use crate::{
    http::{
        argument::RequestBody,
        contract::{BodyPolicy, Contract},
        flow::{self, Flow, UNCOUNTED_BYTES},
        grant_check::GrantCheck,
        incoming_body::{BodyTimeouts, IncomingBody},
    },
    state::bounds::Bound,
};

pub(super) async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    contract: &Contract,
    (within, check): (Duration, Option<GrantCheck>),
) -> Result<RequestBody, Error> {
    let is_ignored = contract.body == BodyPolicy::None;
    if is_ignored && !flow::has_body(request.headers()) {
        return Ok(RequestBody::None);
    }
    let max = contract.body_bytes();
    if matches!(contract.body, BodyPolicy::Bytes { .. }) {
        let timeouts = BodyTimeouts::of_bytes(within);
        let body = IncomingBody::new(request, payload, max, timeouts)?.checked(check);
        // After the length: 413 comes before 415 in the order of refusals.
        check_media_type(request.headers(), "application/octet-stream", true)?;
        return Ok(RequestBody::Incoming(Cell::new(Some(body))));
    }
    let timeouts = BodyTimeouts::of_text(within);
    let mut body = IncomingBody::new(request, payload, max, timeouts)?.checked(check);
    if is_ignored {
        // Read to its end, and not stored.
        let mut is_empty = true;
        while let Some(chunk) = body.next().await? {
            is_empty &= chunk.is_empty();
        }
        if !is_empty {
            check_media_type(request.headers(), "application/json", false)?;
        }
        return Ok(RequestBody::None);
    }
    let bytes = collect(body, flow::of(request)?).await?;
    if bytes.is_empty() && contract.body == BodyPolicy::Optional {
        return Ok(RequestBody::None);
    }
    if contract.body == BodyPolicy::Text {
        return Ok(RequestBody::Text(bytes.freeze()));
    }
    if bytes.is_empty() {
        return Err(malformed("is empty; send one JSON object").into());
    }
    check_media_type(request.headers(), "application/json", false)?;
    match json::parse_object(&bytes) {
        Ok(map) => Ok(RequestBody::Json(Value::Object(map))),
        Err(MalformedJson(rule)) => Err(malformed(rule).into()),
    }
}

/// Reads a body to its end; 429 if the bodies of one holder take too much memory.
async fn collect(mut body: IncomingBody, flow: &Flow) -> Result<web::BytesMut, Error> {
    let announced = body.announced().and_then(|announced| usize::try_from(announced).ok()).unwrap_or(0);
    let mut counted = UNCOUNTED_BYTES;
    let mut count = |bytes: usize| {
        let more = bytes.saturating_sub(counted);
        counted += more;
        if more > 0 { flow.take(Bound::Bodies, more as u64) } else { Ok(()) }
    };
    count(announced)?;
    // One allocation of the announced length, which is checked against the limit before.
    let mut bytes = web::BytesMut::with_capacity(announced);
    while let Some(chunk) = body.next().await? {
        count(bytes.len() + chunk.len())?;
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn malformed(rule: impl Into<String>) -> Refusal {
    refused(&code::INVALID_REQUEST, rule)
}

fn refused(code: &'static Code, rule: impl Into<String>) -> Refusal {
    Refusal::problems(code, vec![Problem { at: String::new(), rule: rule.into() }])
}

/// 415 unless the body has this media type, at most with `charset=utf-8`, sent once and not compressed.
fn check_media_type(headers: &HeaderMap, wanted: &'static str, may_be_absent: bool) -> Result<(), Refusal> {
    let mut problems = Vec::new();
    let mut note = |at: &str, rule: String| problems.push(Problem { at: at.to_owned(), rule });
    if !headers.get_all(header::CONTENT_ENCODING).all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        note("Content-Encoding", "must be absent: the body must not be compressed".to_owned());
    }
    let mut types = headers.get_all(header::CONTENT_TYPE);
    let (first, another) = (types.next(), types.next());
    let media_type = first.and_then(|value| value.to_str().ok());
    let mut parts = media_type.unwrap_or_default().split(';').map(str::trim);
    if another.is_some() {
        note("Content-Type", "must be sent once".to_owned());
    } else if first.is_none() && may_be_absent {
        // RFC 9110 §8.3: without a Content-Type the body may be taken for bytes.
    } else if !parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case(wanted)) {
        note("Content-Type", format!("must be {wanted}"));
    } else if !parts.all(is_utf8) {
        note("Content-Type", format!("must be {wanted} with no parameter but charset=utf-8"));
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(Refusal::problems(&code::UNSUPPORTED_MEDIA_TYPE, problems).header("accept", wanted))
}

fn is_utf8(parameter: &str) -> bool {
    parameter.split_once('=').is_some_and(|(name, value)| {
        name.eq_ignore_ascii_case("charset") && value.trim_matches('"').eq_ignore_ascii_case("utf-8")
    })
}
