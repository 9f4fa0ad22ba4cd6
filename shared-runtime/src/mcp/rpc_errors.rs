//! Errors below the protocol, which rmcp writes as plain text or with the wrong code: as JSON-RPC, in sentences.

use actix_web::{
    HttpRequest,
    http::{StatusCode, header},
};
use serde_json::{Value, json};

use crate::http::reply::{Reply, ReplyBody};

const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

const JSON: &str = "application/json";

/// Requests that the endpoint answers. With parameters of another form, rmcp takes them for unknown methods.
const METHODS: [&str; 9] = [
    "completion/complete",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "tools/call",
    "tools/list",
];

/// Those that revisions without sessions no longer have; rmcp knows them then as unknown.
const OLDER_METHODS: [&str; 2] = ["initialize", "ping"];
const WITHOUT_SESSIONS: &str = "2026-07-28";

/// An answer of rmcp.
pub(super) struct RawAnswer {
    pub status: StatusCode,
    pub media_type: Option<String>,
    pub body: Vec<u8>,
}

/// Refuses what rmcp would not look at. That is an Accept without JSON, or a second or another form of what guards
/// against DNS rebinding.
pub(super) fn of_headers(request: &HttpRequest) -> Option<Reply> {
    let headers = request.headers();
    let accepts = |part: &str| {
        let media_type = part.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        matches!(&*media_type, "*/*" | "application/*" | JSON)
    };
    let mut accepted = headers.get_all(header::ACCEPT).filter_map(|value| value.to_str().ok()).peekable();
    if accepted.peek().is_some() && !accepted.any(|value| value.split(',').any(accepts)) {
        return Some(reply(StatusCode::NOT_ACCEPTABLE, "Accept must have application/json."));
    }
    if headers.get_all(header::ORIGIN).nth(1).is_some() {
        return Some(reply(StatusCode::FORBIDDEN, "Origin must be sent once."));
    }
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
    // An absolute-form target may name another host than the header that rmcp looks at.
    let is_foreign = request.uri().authority().is_some_and(|authority| Some(authority.as_str()) != host);
    is_foreign.then(|| reply(StatusCode::FORBIDDEN, "The host of the URL must be that of the header Host."))
}

/// The same answer, if it is an error in a form that clients understand.
pub(super) fn readable(answer: RawAnswer, request: &HttpRequest, method: Option<&str>) -> RawAnswer {
    let is_json = answer.media_type.as_deref().is_some_and(|media_type| media_type.starts_with(JSON));
    if !is_json {
        if !answer.status.is_client_error() && !answer.status.is_server_error() {
            return answer;
        }
        let text = String::from_utf8_lossy(&answer.body).trim().to_owned();
        return match answer.status {
            // Admission has accepted its media type, so this 415 means that the body is not a message.
            StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                written(StatusCode::BAD_REQUEST, INVALID_REQUEST, "This is not a JSON-RPC 2.0 request.", Value::Null)
            }
            status => written(status, INVALID_REQUEST, &sentence(&text), Value::Null),
        };
    }
    let Ok(mut body) = serde_json::from_slice::<Value>(&answer.body) else { return answer };
    if body["error"]["code"] != METHOD_NOT_FOUND {
        return answer;
    }
    let Some(method) = method else { return answer };
    let id = body["id"].take();
    let revision = request.headers().get("mcp-protocol-version").and_then(|value| value.to_str().ok());
    // Revisions are dates, so they compare as text.
    let has_older = revision.is_none_or(|revision| revision < WITHOUT_SESSIONS);
    if METHODS.contains(&method) || has_older && OLDER_METHODS.contains(&method) {
        let message = format!("The parameters of {method} have another form.");
        return written(StatusCode::BAD_REQUEST, INVALID_PARAMS, &message, id);
    }
    written(answer.status, METHOD_NOT_FOUND, &format!("Method not found: {method}"), id)
}

fn reply(status: StatusCode, message: &str) -> Reply {
    let RawAnswer { status, body, .. } = written(status, INVALID_REQUEST, message, Value::Null);
    Reply { status, headers: vec![(header::CONTENT_TYPE.to_string(), JSON.to_owned())], body: ReplyBody::Plain(body) }
}

fn written(status: StatusCode, code: i64, message: &str, id: Value) -> RawAnswer {
    let body = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    RawAnswer { status, media_type: Some(JSON.to_owned()), body: body.to_string().into_bytes() }
}

fn sentence(text: &str) -> String {
    if text.is_empty() { "The request is refused.".to_owned() } else { format!("{}.", text.trim_end_matches('.')) }
}
