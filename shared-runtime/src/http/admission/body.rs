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

use crate::http::routes::{BodyPolicy, Operation};

/// The body as a JSON object; `None` when it is empty and may be.
pub(super) async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    operation: &Operation,
    within: Duration,
) -> Result<Option<Value>, Error> {
    let bytes = match tokio::time::timeout(within, collect(request, payload, operation.body_bytes)).await {
        Ok(bytes) => bytes?,
        Err(_) => return Err(unreceived(format!("must arrive within {} seconds", within.as_secs())).into()),
    };
    if bytes.is_empty() && operation.body == BodyPolicy::Optional {
        return Ok(None);
    }
    if !bytes.is_empty() && !is_json(request.headers()) {
        return Err(super::unsupported().into());
    }
    match json::parse_object(&bytes) {
        Ok(map) => Ok(Some(Value::Object(map))),
        Err(MalformedJson(rule)) => {
            let problem = Problem { at: String::new(), rule };
            Err(Refusal::problems(&code::INVALID_REQUEST, vec![problem]).into())
        }
    }
}

async fn collect(request: &HttpRequest, mut payload: web::Payload, max: usize) -> Result<web::BytesMut, Error> {
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
    let mut bytes = web::BytesMut::with_capacity(announced.unwrap_or(0));
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(unreadable)?;
        if bytes.len() + chunk.len() > max {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
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
