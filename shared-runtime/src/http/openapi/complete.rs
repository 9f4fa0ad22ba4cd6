//! What every operation of the document has beside its own: an example of each body, the headers of its answers, and for
//! each code of a refusal the body that comes with it.

use serde_json::Value;
use shared_model::{Code, ErrorBody, NextAction, Problem, code, error_body::ErrorDetail};
use utoipa::openapi::{
    Content, Header, HeaderBuilder, ObjectBuilder, OpenApi, RefOr, Response, Schema, Type, example::ExampleBuilder,
    path::Operation as Documented,
};

use super::{OperationDoc, examples};
use crate::{http::routes::Routes, identity::challenge, state::rate_limit::LimitClass};

/// A request id, as good as any.
pub(super) const REQUEST_ID: &str = "req_000102030405060708090a0b0c0d0e0f";
/// An entity tag, as good as any.
const ETAG: &str = "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"";

/// Completes the document; the places where an example is missing.
pub(super) fn complete(document: &mut OpenApi, routes: &Routes) -> Vec<String> {
    let components = document.components.as_ref().map(|components| serde_json::to_value(&components.schemas));
    let components = components.and_then(Result::ok).unwrap_or_default();
    let mut lacking = Vec::new();
    for entry in routes.entries() {
        let operation = &entry.operation;
        let item = document.paths.paths.get_mut(operation.path);
        let documented =
            item.and_then(|item| if operation.method == "GET" { item.get.as_mut() } else { item.post.as_mut() });
        if let Some(documented) = documented {
            let missing = bodies(documented, &components);
            lacking.extend(missing.into_iter().map(|place| format!("{}: {place}", operation.id)));
            answers(documented, &entry.doc, operation.limit);
        }
    }
    lacking
}

/// Gives every JSON body of requests and successes its example.
fn bodies(documented: &mut Documented, components: &Value) -> Vec<String> {
    let mut lacking = Vec::new();
    let mut fill = |place: &str, content: &mut RefOr<Content>| {
        let RefOr::T(content) = content else { return };
        let Some(Ok(schema)) = content.schema.as_ref().map(serde_json::to_value) else { return };
        if content.example.is_none() && content.examples.is_empty() {
            match examples::of(&schema, components) {
                Ok(example) => content.example = Some(example),
                Err(places) => lacking.extend(places.iter().map(|at| format!("{place} {at}"))),
            }
        }
    };
    if let Some(RefOr::T(body)) = &mut documented.request_body {
        body.content.values_mut().for_each(|content| fill("request", content));
    }
    for (status, response) in &mut documented.responses.responses {
        let RefOr::T(response) = response else { continue };
        if status.starts_with('2')
            && let Some(content) = response.content.get_mut("application/json")
        {
            fill(status, content);
        }
    }
    lacking
}

fn answers(documented: &mut Documented, doc: &OperationDoc, limit: &LimitClass) {
    let LimitClass { name: class, per_minute, .. } = *limit;
    for (status, response) in &mut documented.responses.responses {
        let RefOr::T(response) = response else { continue };
        let is_success = status.starts_with(['2', '3']);
        let left = if status == "429" { 0 } else { i64::from(per_minute) - 1 };
        if !is_success {
            refusals(response, doc, status);
        }
        let mut header = |name: &str, header: Header| {
            response.headers.entry(name.to_owned()).or_insert(header.into());
        };
        header("X-Request-Id", text("Names this request; quote it to support.", REQUEST_ID));
        if doc.permission().is_some() && is_success || status == "429" {
            header("X-RateLimit-Limit", number("Requests in a minute.", 1, per_minute.into()));
            header("X-RateLimit-Remaining", number("Requests left after this one.", 0, left));
            header("X-RateLimit-Reset", number("Unix seconds of the next minute boundary.", 1, 1_795_253_460));
            header("RateLimit", text("The same, as the IETF draft writes it.", &format!("\"{class}\";r={left};t=23")));
            header(
                "RateLimit-Policy",
                text("The limit, as the IETF draft writes it.", &format!("\"{class}\";q={per_minute};w=60")),
            );
        }
        if is_success && doc.not_modified {
            header("ETag", text("The version that is shown.", ETAG));
        }
        match status.as_str() {
            "202" => {
                let example = "https://api.example.com/api/v1/operations/op_0123456789abcdef0123456789abcdef";
                header("Location", text("Where to see what becomes of it.", example));
                header("Retry-After", number("Seconds to wait before looking.", 1, 2));
            }
            "401" | "403" if doc.permission().is_some() => {
                let example =
                    "Bearer resource_metadata=\"https://api.example.com/.well-known/oauth-protected-resource\"";
                header(
                    "WWW-Authenticate",
                    text("Where to obtain a token (RFC 9728), or which scope to ask for.", example),
                );
            }
            "405" => header("Allow", text("The methods that there are.", "GET, HEAD, OPTIONS")),
            "429" | "503" => header("Retry-After", number("Seconds to wait.", 1, 17)),
            _ => {}
        }
    }
}

/// One example for each code.
fn refusals(response: &mut Response, doc: &OperationDoc, status: &str) {
    let Some(RefOr::T(content)) = response.content.get_mut("application/json") else { return };
    for code in doc.codes.iter().filter(|code| code.status.to_string() == status) {
        let next_action = next_action(doc, code);
        let body = ErrorBody {
            error: ErrorDetail {
                code: code.name.to_owned(),
                message: code.sentence.to_owned(),
                request_id: REQUEST_ID.to_owned(),
                retryable: next_action.as_ref().is_some_and(NextAction::is_retry),
                next_action,
            },
        };
        let example = ExampleBuilder::new().value(serde_json::to_value(body).ok()).build();
        content.examples.insert(code.name.to_owned(), example.into());
    }
}

/// What a program is told to do: what the operation says of its own codes, and what is always said with the shared ones.
fn next_action(doc: &OperationDoc, code: &'static Code) -> Option<NextAction> {
    let correct = |at: &str, rule: &str| {
        let problems = vec![Problem { at: at.to_owned(), rule: rule.to_owned() }];
        Some(NextAction::CorrectRequest { problems })
    };
    let wait = |after_seconds| Some(NextAction::Wait { after_seconds });
    if let Some((_, action)) = doc.actions.iter().find(|(own, _)| *own == code) {
        return Some(action.clone());
    }
    match code.name {
        name if name == code::INVALID_REQUEST.name || name == code::INVALID_FIELD.name => {
            match (&doc.body, doc.query.first()) {
                (Some(_), _) => correct("/no_such_member", "is not a member of this object"),
                (None, Some(parameter)) => correct(parameter.name, "must be sent once"),
                (None, None) => correct(doc.headers.first()?.0, "must be sent once"),
            }
        }
        name if name == code::INVALID_CURSOR.name => correct("cursor", "must be the next_cursor of this list"),
        name if name == code::IDEMPOTENCY_KEY_REQUIRED.name => correct("Idempotency-Key", "must be sent"),
        name if name == code::IF_MATCH_REQUIRED.name => correct("If-Match", "must be sent"),
        name if name == code::UNAUTHORIZED.name || name == code::INVALID_TOKEN.name => Some(NextAction::Authenticate {
            resource_metadata: format!("https://api.example.com{}", challenge::METADATA_PATH),
        }),
        name if name == code::INSUFFICIENT_SCOPE.name => {
            Some(NextAction::RequestScope { scope: doc.permission()?.scope.to_owned() })
        }
        name if name == code::IDEMPOTENCY_KEY_REUSED.name => Some(NextAction::NewKey),
        name if name == code::IDEMPOTENCY_IN_PROGRESS.name => wait(1),
        name if name == code::ETAG_MISMATCH.name => {
            let href = format!("https://api.example.com{}", doc.path);
            Some(NextAction::Refresh { href, etag: Some(ETAG.to_owned()) })
        }
        name if name == code::RATE_LIMITED.name => wait(17),
        name if name == code::TEMPORARILY_UNAVAILABLE.name && doc.takes_key() => {
            Some(NextAction::RetrySameKey { after_seconds: 2 })
        }
        name if name == code::TEMPORARILY_UNAVAILABLE.name => wait(2),
        name if name == code::AUTHORIZATION_SERVER_UNREACHABLE.name => wait(5),
        name if name == code::INTERNAL_ERROR.name && doc.takes_key() => {
            Some(NextAction::RetrySameKey { after_seconds: 2 })
        }
        name if name == code::INTERNAL_ERROR.name || name == code::IDENTITY_NOT_CONFIGURED.name => {
            Some(NextAction::ContactSupport)
        }
        _ => None,
    }
}

/// The schema of a request header, with an example.
pub(super) fn request_header(name: &str) -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String);
    match name {
        "Idempotency-Key" => text.pattern(Some("^[!-~]{1,255}$")).examples(["minutes-of-november-21"]),
        "If-Match" | "If-None-Match" | "If-Range" => text.examples([ETAG]),
        "Origin" => text.examples(["https://desk.example"]),
        "Range" => text.examples(["bytes=1024-"]),
        _ => text,
    }
    .into()
}

/// The schema of `meta.request_id`.
pub(super) fn request_id() -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^req_[0-9a-f]{32}$"));
    text.examples([REQUEST_ID]).into()
}

fn text(says: &str, example: &str) -> Header {
    HeaderBuilder::new()
        .schema(Some(super::operation::text_schema()))
        .description(Some(says))
        .example(Some(example.into()))
        .build()
}

fn number(says: &str, minimum: i64, example: i64) -> Header {
    let schema = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(minimum));
    HeaderBuilder::new().schema(Some(schema)).description(Some(says)).example(Some(example.into())).build()
}
