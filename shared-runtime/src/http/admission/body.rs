//! Reading a request body: bounded in bytes and in time, of one media type, strict JSON.

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
    Error, Problem, Refusal, code,
    json::{self, MalformedJson},
};

use crate::http::{
    contract::{BodyPolicy, Contract},
    flow,
};

/// The body as a JSON object; `None` when there is none and none is needed.
pub(super) async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    contract: &Contract,
    within: Duration,
) -> Result<Option<Value>, Error> {
    let is_ignored = contract.body == BodyPolicy::None;
    if is_ignored && !has_body(request.headers()) {
        return Ok(None);
    }
    let max = contract.surface.body_bytes;
    let _reading = flow::reading_body(request);
    let bytes = match tokio::time::timeout(within, collect(request, payload, max, is_ignored)).await {
        Ok(bytes) => bytes?,
        Err(_) => return Err(unreceived(format!("must arrive within {} seconds", within.as_secs())).into()),
    };
    if is_ignored || bytes.is_empty() && contract.body == BodyPolicy::Optional {
        return Ok(None);
    }
    if !bytes.is_empty() && !is_json(request.headers()) {
        return Err(code::UNSUPPORTED_MEDIA_TYPE.refusal().header("accept", "application/json").into());
    }
    match json::parse_object(&bytes) {
        Ok(map) => Ok(Some(Value::Object(map))),
        Err(MalformedJson(rule)) => {
            let problem = Problem { at: String::new(), rule };
            Err(Refusal::problems(&code::INVALID_REQUEST, vec![problem]).into())
        }
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
    let too_large =
        || Error::from(code::BODY_TOO_LARGE.because(format!("The request body must be at most {max} bytes.")));
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
        PayloadError::Incomplete(_) => "ended before its announced length",
        _ => "could not be read",
    };
    unreceived(rule.to_owned()).into()
}

/// 400, and the end of the connection: what may still come of the body is not the next request.
fn unreceived(rule: String) -> Refusal {
    let problem = Problem { at: String::new(), rule };
    Refusal::problems(&code::INVALID_REQUEST, vec![problem]).header("connection", "close")
}

/// `application/json`, with `charset=utf-8` at most, sent once and not compressed.
fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE);
    let (Some(value), None) = (types.next(), types.next()) else { return false };
    let Ok(text) = value.to_str() else { return false };
    let mut parts = text.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"));
    let is_utf8 = parts.all(|parameter| {
        parameter.split_once('=').is_some_and(|(name, value)| {
            name.eq_ignore_ascii_case("charset") && value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        })
    });
    let is_plain =
        headers.get_all(header::CONTENT_ENCODING).all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    is_json && is_utf8 && is_plain
}
