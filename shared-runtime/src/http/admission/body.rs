//! Reading a request body: bounded in bytes and in time; of one media type and strict JSON, unless it is of another protocol.

use std::time::Duration;

use actix_web::{
    HttpRequest,
    error::PayloadError,
    http::header::{self, HeaderMap},
    web,
};
use futures_util::StreamExt as _;
use serde_json::Value;
use shared_model::{
    Code, Error, Problem, Refusal, code,
    json::{self, MalformedJson},
};

use crate::http::{
    argument::RequestBody,
    contract::{BodyPolicy, Contract},
    flow, next_action,
};

/// The body as its operation takes it.
pub(super) async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    contract: &Contract,
    within: Duration,
) -> Result<RequestBody, Error> {
    let is_ignored = contract.body == BodyPolicy::None;
    if is_ignored && !has_body(request.headers()) {
        return Ok(RequestBody::None);
    }
    let max = contract.surface.body_bytes;
    let _reading = flow::reading_body(request);
    let bytes = match tokio::time::timeout(within, collect(request, payload, max, is_ignored)).await {
        Ok(bytes) => bytes?,
        Err(_) => return Err(unreceived(format!("must arrive within {} seconds", within.as_secs())).into()),
    };
    if is_ignored || bytes.is_empty() && contract.body == BodyPolicy::Optional {
        return Ok(RequestBody::None);
    }
    if contract.body == BodyPolicy::Text {
        return Ok(RequestBody::Text(bytes.freeze()));
    }
    if bytes.is_empty() {
        return Err(malformed("is empty; send one JSON object").into());
    }
    let problems = media_type_problems(request.headers());
    if !problems.is_empty() {
        let refusal = Refusal::problems(&code::UNSUPPORTED_MEDIA_TYPE, problems);
        return Err(refusal.header("accept", "application/json").into());
    }
    match json::parse_object(&bytes) {
        Ok(map) => Ok(RequestBody::Json(Value::Object(map))),
        Err(MalformedJson(rule)) => Err(malformed(rule).into()),
    }
}

/// Whether a body follows the head (RFC 9112 §6).
fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(header::TRANSFER_ENCODING)
        || headers.get(header::CONTENT_LENGTH).is_some_and(|length| length.as_bytes() != b"0")
}

/// Reads a body of at most `max` bytes; one that is ignored is counted and not kept.
async fn collect(
    request: &HttpRequest,
    mut payload: web::Payload,
    max: usize,
    is_ignored: bool,
) -> Result<web::BytesMut, Error> {
    let too_large = || Error::from(refused(&code::BODY_TOO_LARGE, next_action::too_large(max)));
    let announced = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<usize>().ok());
    if announced.is_some_and(|length| length > max) {
        return Err(too_large());
    }
    let mut received = 0;
    let mut bytes = web::BytesMut::with_capacity(if is_ignored { 0 } else { announced.unwrap_or(0) });
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(unreadable)?;
        received += chunk.len();
        if received > max {
            return Err(too_large());
        }
        if !is_ignored {
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok(bytes)
}

fn unreadable(error: PayloadError) -> Error {
    let rule = match error {
        PayloadError::Incomplete(_) => next_action::CUT_OFF,
        _ => "could not be read",
    };
    unreceived(rule).into()
}

/// 400, and the end of the connection: what may still come of the body is not the next request.
fn unreceived(rule: impl Into<String>) -> Refusal {
    malformed(rule).header("connection", "close")
}

fn malformed(rule: impl Into<String>) -> Refusal {
    refused(&code::INVALID_REQUEST, rule)
}

fn refused(code: &'static Code, rule: impl Into<String>) -> Refusal {
    Refusal::problems(code, vec![Problem { at: String::new(), rule: rule.into() }])
}

/// What keeps a body from being `application/json`, with `charset=utf-8` at most, sent once and not compressed.
fn media_type_problems(headers: &HeaderMap) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut note = |at: &str, rule: &str| problems.push(Problem { at: at.to_owned(), rule: rule.to_owned() });
    if !headers.get_all(header::CONTENT_ENCODING).all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        note("Content-Encoding", "must be absent: the body must not be compressed");
    }
    let mut types = headers.get_all(header::CONTENT_TYPE);
    let (media_type, another) = (types.next().and_then(|value| value.to_str().ok()), types.next());
    let mut parts = media_type.unwrap_or_default().split(';').map(str::trim);
    if another.is_some() {
        note("Content-Type", "must be sent once");
    } else if !parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
        note("Content-Type", "must be application/json");
    } else if !parts.all(is_utf8) {
        note("Content-Type", "must be application/json with no parameter but charset=utf-8");
    }
    problems
}

fn is_utf8(parameter: &str) -> bool {
    parameter.split_once('=').is_some_and(|(name, value)| {
        name.eq_ignore_ascii_case("charset") && value.trim_matches('"').eq_ignore_ascii_case("utf-8")
    })
}
