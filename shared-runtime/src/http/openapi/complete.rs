//! What every operation of the document has beside its own: an example of each body, the headers of its answers, and for
//! each code of a refusal the body that comes with it.

use serde_json::Value;
use shared_model::{ErrorBody, error_body::ErrorDetail};
use utoipa::openapi::{
    Content, Header, HeaderBuilder, ObjectBuilder, OpenApi, RefOr, Response, Type, example::ExampleBuilder,
    path::Operation as Documented,
};

use super::examples::{self, REQUEST_ID};
use crate::{
    http::{
        contract::Contract,
        next_action::{self, ETAG},
    },
    state::rate_limit::LimitClass,
};

/// What links in examples begin with.
const BASE_URL: &str = "https://api.example.com";

/// Completes the document; the places where an example is missing.
pub(super) fn complete(document: &mut OpenApi, contracts: &[&Contract]) -> Vec<String> {
    let components = document.components.as_ref().map(|components| serde_json::to_value(&components.schemas));
    let components = components.and_then(Result::ok).unwrap_or_default();
    let mut lacking = Vec::new();
    for contract in contracts {
        let item = document.paths.paths.get_mut(contract.path);
        let documented = item.and_then(|item| match contract.method.as_str() {
            "GET" => item.get.as_mut(),
            "PUT" => item.put.as_mut(),
            _ => item.post.as_mut(),
        });
        if let Some(documented) = documented {
            let missing = bodies(documented, &components);
            lacking.extend(missing.into_iter().map(|place| format!("{}: {place}", contract.id)));
            answers(documented, contract);
        }
    }
    lacking
}

/// Gives every body of requests and successes its example, unless it is bytes.
fn bodies(documented: &mut Documented, components: &Value) -> Vec<String> {
    let mut lacking = Vec::new();
    let mut fill = |place: &str, content: &mut RefOr<Content>| {
        let RefOr::T(content) = content else { return };
        let Some(Ok(schema)) = content.schema.as_ref().map(serde_json::to_value) else { return };
        if schema["format"] != "binary" && content.example.is_none() && content.examples.is_empty() {
            let example = if place == "request" { examples::of_request } else { examples::of };
            match example(&schema, components) {
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
        if status.starts_with('2') {
            response.content.values_mut().for_each(|content| fill(status, content));
        }
    }
    lacking
}

fn answers(documented: &mut Documented, contract: &Contract) {
    let LimitClass { name: class, per_minute, .. } = *contract.limit;
    for (status, response) in &mut documented.responses.responses {
        let RefOr::T(response) = response else { continue };
        let is_success = status.starts_with(['2', '3']);
        let left = if status == "429" { 0 } else { i64::from(per_minute) - 1 };
        if !is_success {
            refusals(response, contract, status);
        }
        let mut header = |name: &str, header: Header| {
            response.headers.entry(name.to_owned()).or_insert(header.into());
        };
        header("X-Request-Id", text("Names this request; quote it to support.", REQUEST_ID));
        if contract.required().is_some() && is_success || status == "429" {
            header("X-RateLimit-Limit", number("Requests in a minute.", 1, per_minute.into()));
            header("X-RateLimit-Remaining", number("Requests left after this one.", 0, left));
            header("X-RateLimit-Reset", number("Unix seconds of the next minute boundary.", 1, 1_795_253_460));
            header("RateLimit", text("The same, as the IETF draft writes it.", &format!("\"{class}\";r={left};t=23")));
            header(
                "RateLimit-Policy",
                text("The limit, as the IETF draft writes it.", &format!("\"{class}\";q={per_minute};w=60")),
            );
        }
        if is_success && contract.success.may_be_not_modified {
            header("ETag", text("The version that is shown.", ETAG));
        }
        match status.as_str() {
            "202" => {
                let example = "https://api.example.com/api/v1/operations/op_0123456789abcdef0123456789abcdef";
                header("Location", text("Where to read how it goes on.", example));
                header("Retry-After", number("Seconds to wait before looking.", 1, 2));
            }
            "401" | "403" if contract.required().is_some() => {
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

/// One example for each code, and one for each further type of next action.
fn refusals(response: &mut Response, contract: &Contract, status: &str) {
    let Some(RefOr::T(content)) = response.content.get_mut("application/json") else { return };
    for code in contract.codes.iter().filter(|code| code.status.to_string() == status) {
        for (index, next_action) in next_action::documented(contract, code, BASE_URL).into_iter().enumerate() {
            let name = if index == 0 { code.name.to_owned() } else { format!("{}_{index}", code.name) };
            let body = ErrorBody {
                error: ErrorDetail {
                    code: code.name.to_owned(),
                    message: code.sentence.to_owned(),
                    request_id: REQUEST_ID.to_owned(),
                    retryable: next_action.is_retry(),
                    next_action,
                },
            };
            let example = ExampleBuilder::new().value(serde_json::to_value(body).ok()).build();
            content.examples.insert(name, example.into());
        }
    }
}

fn text(description: &str, example: &str) -> Header {
    HeaderBuilder::new()
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .description(Some(description))
        .example(Some(example.into()))
        .build()
}

fn number(description: &str, minimum: i64, example: i64) -> Header {
    let schema = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(minimum));
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).example(Some(example.into())).build()
}
