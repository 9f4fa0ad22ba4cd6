//! Completes each operation of the document: examples of bodies, headers of answers, and an example for each code.

use std::collections::BTreeSet;

use serde_json::Value;
use shared_model::{ErrorBody, error_body::ErrorDetail};
use utoipa::openapi::{
    Content, Header, HeaderBuilder, ObjectBuilder, OpenApi, Ref, RefOr, Response, Type, example::ExampleBuilder,
    path::Operation as Documented,
};

use super::examples::{self, REQUEST_ID};
use crate::http::{
    contract::Contract,
    next_action::{self, ETAG},
};

const BASE_URL: &str = "https://api.example.com";

/// Completes the document and returns the places without an example.
pub(super) fn complete(document: &mut OpenApi, contracts: &[&Contract]) -> Vec<String> {
    let components = document.components.as_ref().map(|components| serde_json::to_value(&components.schemas));
    let components = components.and_then(Result::ok).unwrap_or_default();
    let (mut lacking, mut used) = (Vec::new(), BTreeSet::new());
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
            answers(documented, contract, &mut used);
        }
    }
    if let Some(components) = &mut document.components {
        let shared = headers().into_iter().filter(|(name, _)| used.contains(name));
        components.headers.extend(shared.map(|(name, header)| (name.to_owned(), header.into())));
    }
    lacking
}

/// Gives every body its example, except for bytes.
fn bodies(documented: &mut Documented, components: &Value) -> Vec<String> {
    let mut lacking = Vec::new();
    let mut fill = |place: &str, content: &mut RefOr<Content>| {
        let RefOr::T(content) = content else { return };
        let Some(Ok(schema)) = content.schema.as_ref().map(serde_json::to_value) else { return };
        if schema["format"] != "binary" && content.example.is_none() && content.examples.is_empty() {
            let example = if place == "request" { examples::for_request_body } else { examples::for_schema };
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

/// Completes the answers of one operation; notes the headers that they refer to.
fn answers(documented: &mut Documented, contract: &Contract, used: &mut BTreeSet<&'static str>) {
    for (status, response) in &mut documented.responses.responses {
        let RefOr::T(response) = response else { continue };
        let is_success = status.starts_with(['2', '3']);
        if !is_success {
            refusals(response, contract, status);
        }
        let mut names = vec!["X-Request-Id"];
        if contract.required().is_some() && is_success || status == "429" {
            names.extend(RATE_LIMIT_HEADERS);
        }
        if is_success && contract.success.may_be_not_modified {
            names.push("ETag");
        }
        match status.as_str() {
            "202" => names.extend(["Location", "Retry-After"]),
            "401" | "403" if contract.required().is_some() => names.push("WWW-Authenticate"),
            "405" => names.push("Allow"),
            "429" | "503" => names.push("Retry-After"),
            _ => {}
        }
        for name in names {
            let reference = RefOr::Ref(Ref::new(format!("#/components/headers/{name}")));
            response.headers.entry(name.to_owned()).or_insert(reference);
            used.insert(name);
        }
    }
}

const RATE_LIMIT_HEADERS: [&str; 5] =
    ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit", "RateLimit-Policy"];

/// The headers of answers. Examples are of one limit, so that all operations can refer to the same header: each
/// operation's description names its own limit.
fn headers() -> [(&'static str, Header); 11] {
    [
        ("Allow", text("The allowed methods.", "GET, HEAD, OPTIONS")),
        ("ETag", text("The entity tag of the returned version.", ETAG)),
        (
            "Location",
            text(
                "Where to read the state of the operation.",
                "https://api.example.com/api/v1/operations/op_0123456789abcdef0123456789abcdef",
            ),
        ),
        ("RateLimit", text("The remaining requests, in the format of the IETF draft.", "\"read\";r=599;t=23")),
        ("RateLimit-Policy", text("The limit, in the format of the IETF draft.", "\"read\";q=600;w=60")),
        ("Retry-After", number("Seconds to wait before the next request.", 1, 17)),
        (
            "WWW-Authenticate",
            text(
                "Where to get a token (RFC 9728), or which scope to request.",
                "Bearer resource_metadata=\"https://api.example.com/.well-known/oauth-protected-resource\"",
            ),
        ),
        ("X-RateLimit-Limit", number("Requests allowed in a minute.", 1, 600)),
        ("X-RateLimit-Remaining", number("Requests left in this minute.", 0, 599)),
        ("X-RateLimit-Reset", number("Unix time, in seconds, when the next minute starts.", 1, 1_795_253_460)),
        ("X-Request-Id", text("The id of this request. Quote it when you contact support.", REQUEST_ID)),
    ]
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
