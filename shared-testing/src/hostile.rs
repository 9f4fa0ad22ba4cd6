//! Hostile requests: bodies and paths that no client of good will sends, on every operation, and the typed error that
//! answers each; never a 500, never text.

use std::time::Duration;

use serde_json::Value;
use shared_runtime::http::contract::{BodyPolicy, Contract};

use crate::{
    caller::Caller,
    operation_fixture::{self, OperationFixture},
    request::Request,
    response::Response,
    stage::Stage,
};

/// Plays every operation with hostile bodies, where it takes one, and hostile paths, where they have parameters.
pub async fn suite(stage: &Stage, owner: &Caller, fixtures: &[OperationFixture]) {
    let fixtures = [fixtures, &operation_fixture::of_every_service()].concat();
    for operation in stage.routes().contracts() {
        let fixture = fixtures.iter().find(|fixture| fixture.operation == operation.id);
        let fixture = fixture.unwrap_or_else(|| panic!("no fixture for {}", operation.id));
        stage.clock.advance(Duration::from_secs(60));
        if operation.body != BodyPolicy::None {
            bodies(operation, || fixture.by(owner)).await;
        }
        stage.clock.advance(Duration::from_secs(60));
        paths(operation, fixture, owner).await;
    }
}

async fn bodies(operation: &Contract, request: impl Fn() -> Request) {
    let json = |bytes: &[u8]| request().body("application/json", bytes);
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
    for bytes in malformed {
        let response = json(bytes).await;
        typed(operation, &String::from_utf8_lossy(bytes), response, 400, "invalid_request");
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
        typed(operation, media_type, response, 415, "unsupported_media_type");
    }
    let response = json(b"{}").header("content-type", "application/json").await;
    typed(operation, "two media types", response, 415, "unsupported_media_type");
    let response = json(b"{}").header("content-encoding", "gzip").await;
    typed(operation, "gzip", response, 415, "unsupported_media_type");

    let spaces = vec![b' '; operation.surface.body_bytes + 1];
    typed(operation, "one byte too many", json(&spaces).await, 413, "body_too_large");
    let response = json(b"{").announcing(usize::try_from(i64::MAX).unwrap_or(usize::MAX)).await;
    typed(operation, "an endless body announced", response, 413, "body_too_large");
    let response = json(b"{\"half\":").announcing(64).await;
    typed(operation, "half a body, then silence", response, 400, "invalid_request");

    let mut object = request().json_body().unwrap_or(Value::Object(serde_json::Map::new()));
    if let Value::Object(map) = &mut object {
        map.insert("no_such_member".to_owned(), Value::Null);
    }
    let invalid = operation.surface.invalid_field;
    let response = request().json(object).await;
    let response = typed(operation, "an unknown member", response, invalid.status, invalid.name);
    response.problems_at(&["/no_such_member"]);
}

async fn paths(operation: &Contract, fixture: &OperationFixture, owner: &Caller) {
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
        typed(operation, segment, response, 404, fixture.unknown);
    }
    let long = fixture.by(owner).at(format!("{before}{}{after}", "9".repeat(4_000))).await;
    typed(operation, "4000 digits", long, 404, fixture.unknown);
}

#[track_caller]
fn typed(operation: &Contract, what: &str, response: Response, status: u16, code: &str) -> Response {
    let got = (response.status, response["error"]["code"].as_str());
    assert_eq!(got, (status, Some(code)), "{}, {what}: {response}", operation.id);
    response.refused(status, code)
}
