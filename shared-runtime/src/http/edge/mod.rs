//! The edge: the only place that writes envelopes, error bodies and common headers, and that logs failures.

mod in_memory;
pub(super) mod outcome;
mod streaming;
pub(crate) mod unreadable;

use std::panic::AssertUnwindSafe;

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder,
    body::BoxBody,
    http::{
        ConnectionType, StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
};
use futures_util::FutureExt as _;
use serde_json::json;
use shared_model::{Error, Failure, Refusal};
use tracing::Instrument as _;

use super::{
    argument::context,
    contract::{BodyPolicy, Contract},
    cors,
    flow::{self, Answering},
    measures,
    reply::{Reply, ReplyBody},
};
use crate::{
    base::{request_id::RequestId, telemetry::Stopwatch, trace_context},
    state::rate_limit::Window,
};

/// Of JSON-RPC 2.0.
const PARSE_ERROR: i64 = -32700;

/// For OPTIONS.
pub(crate) fn no_content(allow: &str) -> Reply {
    let headers = vec![(header::ALLOW.as_str().to_owned(), allow.to_owned())];
    Reply { status: StatusCode::NO_CONTENT, body: ReplyBody::Nothing, headers }
}

/// Runs `verb` and turns its outcome into an answer; a panic is a failure. Pages of allowed origins may read it.
pub(crate) async fn answer(
    request: &HttpRequest,
    contract: Option<&Contract>,
    verb: impl Future<Output = Result<Reply, Error>>,
) -> HttpResponse {
    let mut response = answer_as(request, contract, verb, |id, refusal| refused(request, contract, id, refusal)).await;
    cors::let_page_read(request, response.headers_mut());
    response
}

/// The same, with another form of refusals: pages show them as HTML. Only pages of the own origin may read it.
pub(crate) async fn answer_as(
    request: &HttpRequest,
    contract: Option<&Contract>,
    verb: impl Future<Output = Result<Reply, Error>>,
    show: impl FnOnce(&RequestId, Refusal) -> HttpResponse,
) -> HttpResponse {
    // Waits here for the client to take earlier answers, before any work for this request starts.
    let answering = flow::answering(request).await;
    let id = RequestId::random();
    request.extensions_mut().insert(id);
    let name = contract.map_or("unknown", |contract| contract.id);
    // At the highest level, so that lines carry the request id at every log level.
    let span = tracing::error_span!(
        "request",
        request_id = id.as_str(),
        operation = name,
        client_request_id = tracing::field::Empty,
        trace_id = tracing::field::Empty
    );
    if let Some(theirs) = client_request_id(request) {
        span.record("client_request_id", theirs);
    }
    if let Some(trace) = trace_id(request) {
        span.record("trace_id", trace);
    }
    let measures = measures::for_request(request);
    let (_in_flight, measures) = (measures.begin(), measures.operation(contract));
    let started = Stopwatch::start();
    // A panic must not take down the worker, which serves other requests on the same thread.
    let outcome = AssertUnwindSafe(verb).catch_unwind().instrument(span.clone()).await;
    let _entered = span.enter();
    let outcome = outcome.unwrap_or_else(|_| Err(Failure::fault("a verb panicked").into()));
    let outcome = outcome.and_then(|reply| flow::holds_answer(request, reply.body.bytes_in_memory()).map(|()| reply));
    let mut response = match outcome {
        Ok(reply) => success(request, &id, name, reply, answering),
        Err(Error::Refused(refusal)) => {
            measures.refused(refusal.code.name);
            tracing::debug!(code = refusal.code.name, status = refusal.code.status, "refused");
            show(&id, *refusal)
        }
        Err(Error::Failed(failure)) => show(&id, outcome::refusal_for_failure(measures, &failure)),
    };
    finish(request, contract, &id, &mut response);
    measures.answered(response.status().as_u16(), &started);
    response
}

/// The client's own request id. It is logged next to ours, but never used instead: a client could choose another's.
fn client_request_id(request: &HttpRequest) -> Option<&str> {
    let text = request.headers().get("x-request-id")?.to_str().ok()?;
    (text.len() <= 128 && text.bytes().all(|b| b.is_ascii_graphic())).then_some(text)
}

/// The trace that the client names. It is logged, and never used for anything else.
fn trace_id(request: &HttpRequest) -> Option<&str> {
    let mut values = request.headers().get_all(HeaderName::from_static("traceparent"));
    match (values.next(), values.next()) {
        (Some(value), None) => trace_context::trace_id(value.to_str().ok()?),
        _ => None,
    }
}

fn success(
    request: &HttpRequest,
    id: &RequestId,
    operation: &'static str,
    reply: Reply,
    answering: Answering,
) -> HttpResponse {
    let mut builder = HttpResponseBuilder::new(reply.status);
    let body = match reply.body {
        ReplyBody::Payload { json, next_cursor, replayed } => {
            builder.insert_header((header::CONTENT_TYPE, HeaderValue::from_static("application/json")));
            let envelope = context(request).surface.envelope;
            in_memory::body(outcome::wrapped(envelope, id, &json, next_cursor.as_ref(), replayed), answering)
        }
        ReplyBody::Plain(bytes) => in_memory::body(bytes, answering),
        ReplyBody::Stream(stream) => streaming::body(request, operation, stream, answering),
        ReplyBody::Nothing => BoxBody::new(()),
    };
    for (name, value) in reply.headers {
        // The one header that may be repeated (RFC 6265 §3).
        if name == header::SET_COOKIE.as_str() {
            builder.append_header((name.as_str(), value));
        } else {
            builder.insert_header((name.as_str(), value));
        }
    }
    builder.body(body)
}

fn refused(request: &HttpRequest, contract: Option<&Contract>, id: &RequestId, refusal: Refusal) -> HttpResponse {
    let status = StatusCode::from_u16(refusal.code.status).expect("a status of the code table");
    let body = outcome::error_body(contract, id, &refusal, context(request).base_url());
    let mut builder = HttpResponseBuilder::new(status);
    if let Some(seconds) = body.error.next_action.after_seconds() {
        builder.insert_header((header::RETRY_AFTER, seconds.to_string()));
    }
    for (name, value) in &refusal.headers {
        builder.insert_header((*name, value.as_str()));
    }
    if refusal.headers.iter().any(|(name, _)| *name == header::CONNECTION.as_str()) {
        builder.force_close();
    }
    if contract.is_some_and(|contract| contract.body == BodyPolicy::Text) {
        return builder.content_type("text/plain; charset=utf-8").body(format!("{}\n", refusal.message));
    }
    if contract.is_some_and(|contract| contract.speaks_json_rpc) && refusal.code.status == 400 {
        // The client expects JSON-RPC: the code for JSON that cannot be parsed, and our error as its data.
        let error = json!({"code": PARSE_ERROR, "message": body.error.message, "data": body});
        return builder.json(json!({"jsonrpc": "2.0", "id": null, "error": error}));
    }
    builder.json(body)
}

fn finish(request: &HttpRequest, contract: Option<&Contract>, id: &RequestId, response: &mut HttpResponse) {
    // What a token was needed for must never end up in a shared cache.
    let is_public = contract.is_some_and(|contract| contract.required().is_none());
    let headers = response.headers_mut();
    let mut usual = |name: HeaderName, value: &'static str| {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    };
    usual(header::CACHE_CONTROL, if is_public { "no-store" } else { "private, no-store, no-transform" });
    usual(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    usual(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
    usual(header::REFERRER_POLICY, "no-referrer");
    if context(request).settings.base_url.starts_with("https://") {
        // Only where the service itself is reached by https: browsers ignore it otherwise, and loopback must stay
        // usable.
        usual(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        headers.insert(HeaderName::from_static("x-request-id"), value);
    }
    // A cached answer goes to other callers, whose limits are different.
    let is_shared = headers.get(header::CACHE_CONTROL).is_some_and(|value| value.as_bytes().starts_with(b"public"));
    let window = request.extensions().get::<Window>().copied();
    if let Some(window) = window.filter(|_| !is_shared) {
        for (name, value) in window.headers() {
            headers.insert(name, value);
        }
    }
    // The service is stopping: clients reconnect, and reach another process.
    if flow::closes(request) || !context(request).readiness.is_on() {
        response.head_mut().set_connection_type(ConnectionType::Close);
    }
}
