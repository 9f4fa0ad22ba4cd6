//! Sends invalid bodies, paths and methods to every operation. Each must get a typed error, never a 500.

use std::time::Duration;

use serde_json::Value;
use shared_runtime::http::contract::{BodyPolicy, Contract};

use crate::{
    caller::Caller,
    next_actions::NextActions,
    operation_fixture::{self, OperationFixture},
    request::Request,
    response::{Response, Text as _},
    stage::Stage,
};

/// Runs all cases against all operations.
pub async fn suite(stage: &Stage, owner: &Caller, fixtures: &[OperationFixture]) {
    let fixtures = [fixtures, &operation_fixture::of_every_service(&stage.routes())].concat();
    let actions = NextActions::of(stage);
    for operation in stage.routes().contracts() {
        let fixture = fixtures.iter().find(|fixture| fixture.operation == operation.id);
        let fixture = fixture.unwrap_or_else(|| panic!("no fixture for {}", operation.id));
        // A new minute, so that no rate limit is reached.
        stage.clock.advance(Duration::from_secs(60));
        let request = || fixture.by(owner);
        match operation.body {
            BodyPolicy::Bytes { max } => byte_bodies(operation, &actions, max, request).await,
            BodyPolicy::None => ignored_bodies(operation, &actions, request).await,
            BodyPolicy::Optional | BodyPolicy::Required | BodyPolicy::Text => {
                bodies(operation, &actions, request).await;
            }
        }
        stage.clock.advance(Duration::from_secs(60));
        paths(operation, &actions, fixture, owner).await;
        strays(operation, fixture, owner).await;
    }
}

async fn bodies(operation: &Contract, actions: &NextActions, request: impl Fn() -> Request) {
    let typed = typed(operation, actions);
    let json = |bytes: &[u8]| request().body("application/json", bytes);
    // Deeper than the parser allows, to protect the stack.
    let nested = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let member_twice = "{\"a\":1,\"a\":2}";
    let malformed: [&[u8]; 12] = [
        b"[]",
        b"null",
        b"0",
        b"\"text\"",
        b"{}{}",
        b"{} x",
        b"{",
        b"{\"a\":NaN}",
        b"{\"a\":\"\xff\xfe\"}",
        b"\x00",
        nested.as_bytes(),
        member_twice.as_bytes(),
    ];
    if operation.body == BodyPolicy::Required {
        let response = typed("an empty body", json(b"").await, 400, "invalid_request");
        assert_eq!(response["error"]["message"], "The body is empty; send one JSON object.", "{}", operation.id);
    }
    let response = typed("a byte order mark", json(b"\xef\xbb\xbf{}").await, 400, "invalid_request");
    assert_eq!(response["error"]["message"], "The body must not begin with a byte order mark.", "{}", operation.id);
    for bytes in malformed {
        let response = json(bytes).await;
        typed(&String::from_utf8_lossy(bytes), response, 400, "invalid_request");
    }
    for media_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin1",
        "application/jsonx",
        "application/merge-patch+json",
        "",
    ] {
        let response = request().body(media_type, b"{}").await;
        typed(media_type, response, 415, "unsupported_media_type").problems_at(&["Content-Type"]);
    }
    let response = json(b"{}").header("content-type", "application/json").await;
    // Proxies disagree on which of two headers holds: a way to smuggle bodies.
    typed("two media types", response, 415, "unsupported_media_type");
    let response = json(b"{}").header("content-encoding", "gzip").await;
    typed("gzip", response, 415, "unsupported_media_type").problems_at(&["Content-Encoding"]);

    // Spaces parse as nothing: only the length can be refused.
    let spaces = vec![b' '; operation.surface.body_bytes + 1];
    typed("one byte too many", json(&spaces).await, 413, "body_too_large");
    // Refused by its announced length, before anything is read.
    let response = json(b"{").announcing(usize::try_from(i64::MAX).unwrap_or(usize::MAX)).await;
    typed("an endless body announced", response, 413, "body_too_large");
    let response = json(b"{\"half\":").announcing(64).await;
    typed("half a body, then silence", response, 400, "invalid_request");

    let mut object = request().json_body().unwrap_or(Value::Object(serde_json::Map::new()));
    if let Value::Object(map) = &mut object {
        // Null: a reader that takes null for an absent member must refuse it, too.
        map.insert("no_such_member".to_owned(), Value::Null);
    }
    let invalid = operation.surface.invalid_field;
    let response = request().json(object).await;
    let response = typed("an unknown member", response, invalid.status, invalid.name);
    response.problems_at(&["/no_such_member"]);
}

/// Cases for operations without a body: they ignore one, but not one that is too long, or of another type.
async fn ignored_bodies(operation: &Contract, actions: &NextActions, request: impl Fn() -> Request) {
    let typed = typed(operation, actions);
    for media_type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", ""] {
        let response = request().body(media_type, b"x").await;
        typed(media_type, response, 415, "unsupported_media_type").problems_at(&["Content-Type"]);
    }
    let response = request().body("application/json", b"{").announcing(operation.surface.body_bytes + 1).await;
    typed("one byte too many", response, 413, "body_too_large");
    if operation.method == "GET" {
        for ignored in ["{}", "{"] {
            let response = request().body("application/json", ignored.as_bytes()).await;
            assert!((200..300).contains(&response.status), "{}: JSON is ignored: {response}", operation.id);
        }
    }
}

/// Cases for operations that take bytes, which cannot be malformed.
async fn byte_bodies(operation: &Contract, actions: &NextActions, max: usize, request: impl Fn() -> Request) {
    let typed = typed(operation, actions);
    for media_type in ["application/json", "text/plain", "multipart/form-data; boundary=x", ""] {
        let response = request().body(media_type, b"{}").await;
        typed(media_type, response, 415, "unsupported_media_type").problems_at(&["Content-Type"]);
    }
    let bytes = |bytes: &[u8]| request().body("application/octet-stream", bytes);
    let response = bytes(b"x").header("content-encoding", "gzip").await;
    typed("gzip", response, 415, "unsupported_media_type").problems_at(&["Content-Encoding"]);
    typed("one byte too many", bytes(&vec![0; max + 1]).await, 413, "body_too_large");
    let response = bytes(b"x").announcing(usize::try_from(i64::MAX).unwrap_or(usize::MAX)).await;
    typed("an endless body announced", response, 413, "body_too_large");
}

async fn paths(operation: &Contract, actions: &NextActions, fixture: &OperationFixture, owner: &Caller) {
    let typed = typed(operation, actions);
    let Some((before, rest)) = operation.path.split_once('{') else { return };
    let after = rest.split_once('}').map_or("", |(_, after)| after);
    let after = after.replace(['{', '}'], "");
    for segment in [
        "%00",
        "a%00b",
        "%2F",
        "%2e%2e",
        "%ff",
        "%C0%80",
        "%",
        "%zz",
        "-1",
        "0",
        "1e9",
        "NaN",
        "null",
        "%F0%9F%90%99",
        ":",
        "*",
    ] {
        let response = fixture.by(owner).at(format!("{before}{segment}{after}")).await;
        if fixture.takes_any_text && response.status == 200 {
            continue;
        }
        assert!(response.status == 404, "{}: {segment} in a path: {response}", operation.id);
        typed(segment, response, 404, fixture.unknown);
    }
    // Must not reach the database: refused as an invalid id.
    let long = fixture.by(owner).at(format!("{before}{}{after}", "9".repeat(4_000))).await;
    typed("4000 digits", long, 404, fixture.unknown);
}

/// Checks the status and code of a refusal, and that the document declares it.
fn typed<'t>(
    operation: &'t Contract,
    actions: &'t NextActions,
) -> impl Fn(&str, Response, u16, &str) -> Response + use<'t> {
    move |what, response, status, code| {
        let got = (response.status, response["error"]["code"].as_str());
        assert_eq!(got, (status, Some(code)), "{}, {what}: {response}", operation.id);
        actions.show(operation, &response);
        response.refused(status, code)
    }
}

/// Unknown routes and methods get a hint at the right one.
async fn strays(operation: &Contract, fixture: &OperationFixture, owner: &Caller) {
    let wrong = operation.surface.wrong_method;
    let response = fixture.by(owner).by("DELETE").await.refused(wrong.status, wrong.name);
    let action = &response["error"]["next_action"];
    assert_eq!(action["type"], "use_method", "{response}");
    let methods: Vec<_> = action["methods"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(methods.contains(&operation.method.as_str()), "{response}");
    assert!(response["error"]["message"].text().starts_with("This route takes "), "{response}");
    assert!(methods.iter().all(|method| response.header("allow").contains(method)), "{response}");

    // Clients often join a base URL and a path with two slashes.
    let doubled = format!("/{}", operation.path);
    let response = fixture.by(owner).at(&doubled).await.refused(404, "not_found").problems_at(&["path"]);
    let question = format!("There is no such route. Did you mean {}?", operation.path);
    assert_eq!(response["error"]["message"], question);

    let response = fixture.by(owner).at("/no/such/route").await.refused(404, "not_found");
    assert_eq!(response["error"]["next_action"]["type"], "read_document", "{response}");
}
