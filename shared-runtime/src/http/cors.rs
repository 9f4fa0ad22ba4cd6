//! Calls from web pages of other origins (CORS, of the Fetch standard): those in `CORS_ORIGINS` may call operations.
//!
//! A token comes in a header, so credentials are never allowed. The cookies of our own pages are of no use elsewhere.

use actix_web::{
    HttpRequest,
    http::{
        Method, StatusCode,
        header::{self, HeaderMap, HeaderValue},
    },
};

use super::{
    argument::context,
    contract::Contract,
    reply::{Reply, ReplyBody},
};

/// Seconds until a browser asks again; Chromium waits no longer.
const MAX_AGE: &str = "7200";
/// Headers that clients send to any operation.
const COMMON: [&str; 4] = ["Authorization", "Content-Type", "X-Request-Id", "traceparent"];
/// What rmcp reads besides.
const OF_MCP: [&str; 3] = ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"];

/// The origin of the page that calls, if its pages may.
fn allowed_origin(request: &HttpRequest) -> Option<&HeaderValue> {
    let allowed = &context(request).settings.cors_origins;
    if allowed.is_empty() {
        return None;
    }
    let origin = request.headers().get(header::ORIGIN)?;
    allowed.iter().any(|one| one.as_bytes() == origin.as_bytes()).then_some(origin)
}

/// Whether a browser asks what such a page may send.
pub(super) fn is_preflight(request: &HttpRequest) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
        && allowed_origin(request).is_some()
}

/// The headers that say what it may send to the operations of one path, which take these methods.
pub(super) fn preflight(methods: &[String], contracts: &[&Contract]) -> Vec<(String, String)> {
    let mut names = COMMON.to_vec();
    for contract in contracts {
        // Browsers write Origin themselves.
        names.extend(contract.headers.iter().map(|taken| taken.name).filter(|name| *name != "Origin"));
        if contract.speaks_json_rpc {
            names.extend(OF_MCP);
        }
    }
    names.sort_unstable();
    names.dedup();
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, methods.join(", ")),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, names.join(", ")),
        (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE.to_owned()),
    ];
    headers.map(|(name, value)| (name.to_string(), value)).to_vec()
}

/// The answer with such headers.
pub(super) fn allowed(preflight: &[(String, String)]) -> Reply {
    let headers = preflight.to_vec();
    Reply { status: StatusCode::NO_CONTENT, body: ReplyBody::Nothing, headers }
}

/// Lets such a page read an answer, whatever it is. Every page may read a public document, which says so itself.
pub(super) fn let_page_read(request: &HttpRequest, answer: &mut HeaderMap) {
    let is_off = context(request).settings.cors_origins.is_empty();
    if is_off || answer.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN) {
        return;
    }
    // Also without an origin: a cache would give that answer to a page, and the page could not read it.
    answer.append(header::VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = allowed_origin(request) {
        answer.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        // All of them. It means that only because there are no credentials.
        answer.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("*"));
    }
}
