//! Calls every operation of the OpenAPI document with every kind of caller that must be refused. Calls tools and pages
//! as a stranger.

pub mod pages;
mod scopes;
mod tools;
mod unchanged;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::{Value, json};
use shared_model::{Envelope, Timestamp, code};
use shared_runtime::{http::contract::Contract, identity::challenge};
use unchanged::unchanged;

use crate::{
    caller::Caller,
    next_actions::NextActions,
    operation_fixture::{self, OperationFixture},
    redact::redacted,
    response::Response,
    stage::Stage,
    token::Issuer,
};

/// Calls every operation as `owner`, as `stranger`, and with each invalid token. Operations and fixtures must match one
/// to one.
pub async fn suite(stage: &Stage, owner: &Caller, stranger: &Caller, fixtures: &[OperationFixture]) {
    let routes = stage.routes();
    let documented = documented(stage);
    let actions = &NextActions::of(stage);
    let fixtures = &[fixtures, &operation_fixture::of_every_service(&stage.routes())].concat();
    let played: Vec<_> = fixtures.iter().map(|fixture| fixture.operation).collect();
    for id in documented.keys() {
        assert_eq!(
            played.iter().filter(|played| *played == id).count(),
            1,
            "exactly one fixture for {id}, found: {played:?}"
        );
    }
    assert_eq!(documented.len(), fixtures.len(), "a fixture for an unknown operation: {played:?}");
    let owned = ids_of_owner(fixtures);
    let operation_of =
        |fixture: &OperationFixture| routes.contracts().find(|contract| contract.id == fixture.operation);
    let is_own = |fixture: &&OperationFixture| {
        fixture.object.is_none() && operation_of(fixture).is_some_and(|operation| operation.required().is_some())
    };
    if let Some(own) = fixtures.iter().find(is_own) {
        // The first request of a grant is recorded, which must not count as a change by a later one.
        own.by(stranger).await;
    }
    // First, because some fixtures expire soon, and the operations below spend most of them.
    tools::as_stranger(stage, owner, stranger, fixtures).await;
    for fixture in fixtures {
        let operation = operation_of(fixture);
        let operation = operation.unwrap_or_else(|| panic!("{} is documented and not routed", fixture.operation));
        assert_eq!(
            documented[operation.id],
            operation.required().is_some(),
            "{}: the document's security",
            operation.id
        );
        // A new minute for each operation, so that no rate limit is reached.
        stage.clock.advance(Duration::from_secs(60));
        let response = fixture.by(owner).await;
        succeeded(stage, operation, &response);
        if operation.method == "GET" {
            head_is_get(fixture, owner, &response).await;
        }
        if operation.required().is_some() {
            without_identity(stage, actions, operation, fixture, owner).await;
            without_scope(stage, actions, operation, fixture, owner).await;
            as_stranger(stage, actions, operation, fixture, &owned, (owner, stranger)).await;
        } else {
            succeeded(stage, operation, &fixture.by(&stage.anyone()).await);
        }
    }
    scopes::each_alone(stage, owner, fixtures).await;
}

/// The operations of the document, and whether each requires a token.
fn documented(stage: &Stage) -> BTreeMap<String, bool> {
    let document = stage.service().openapi();
    let document: Value = serde_json::from_str(&document).expect("the document is JSON");
    let paths = document["paths"].as_object().expect("the document has paths");
    let operations = paths.values().filter_map(Value::as_object).flat_map(|item| item.values());
    let documented = operations.filter_map(|operation| {
        let is_secured = operation["security"].as_array().is_some_and(|needs| !needs.is_empty());
        Some((operation["operationId"].as_str()?.to_owned(), is_secured))
    });
    documented.collect()
}

fn succeeded(stage: &Stage, operation: &Contract, response: &Response) {
    assert!((200..300).contains(&response.status), "{}: the owner is accepted: {response}", operation.id);
    if operation.success.payload.is_some() {
        let request_id = match operation.surface.envelope {
            Envelope::TopLevel => &response["request_id"],
            Envelope::DataMeta => &response["meta"]["request_id"],
        };
        assert_eq!(request_id.as_str(), Some(response.request_id()), "{}: {response}", operation.id);
    }
    assert_eq!(response.header("x-content-type-options"), "nosniff", "{}", operation.id);
    assert!(response.has_header("cache-control"), "{}", operation.id);
    if operation.required().is_some() {
        charged(stage, response);
        assert_eq!(response.header("cache-control"), "private, no-store, no-transform", "{}", operation.id);
    }
}

/// Checks the rate limit headers.
fn charged(stage: &Stage, response: &Response) {
    let number =
        |name: &str| response.header(name).parse::<i64>().unwrap_or_else(|_| panic!("{name} is a number: {response}"));
    let (limit, remaining) = (number("x-ratelimit-limit"), number("x-ratelimit-remaining"));
    assert!((0..limit).contains(&remaining), "{response}");
    assert_eq!(number("x-ratelimit-reset"), (stage.now().seconds().div_euclid(60) + 1) * 60, "{response}");
    assert!(response.has_header("ratelimit") && response.has_header("ratelimit-policy"), "{response}");
}

async fn head_is_get(fixture: &OperationFixture, owner: &Caller, get: &Response) {
    let head = fixture.by(owner).by("HEAD").await;
    assert_eq!(
        (head.status, head.bytes().len()),
        (get.status, 0),
        "{}: HEAD is GET without the body",
        fixture.operation
    );
    // Headers that differ between any two answers are left out.
    let lasting = |response: &Response| -> Vec<_> {
        let passing = |name: &str| name == "x-request-id" || name == "date" || name.contains("ratelimit");
        response.headers().iter().filter(|(name, _)| !passing(name)).cloned().collect()
    };
    assert_eq!(lasting(&head), lasting(get), "{}: HEAD has the headers of GET", fixture.operation);
}

async fn without_identity(
    stage: &Stage,
    actions: &NextActions,
    operation: &Contract,
    fixture: &OperationFixture,
    owner: &Caller,
) {
    let id = operation.id;
    let (metadata, scope) = challenge_of(stage, operation);
    let next = json!({"type": "authenticate", "resource_metadata": metadata});

    let response = fixture.by(&stage.anyone()).await.refused(401, "unauthorized");
    assert_eq!(response.header("www-authenticate"), format!("Bearer {scope}resource_metadata=\"{metadata}\""), "{id}");
    assert_eq!(response["error"]["next_action"], next, "{id}");
    actions.show(operation, &response);

    for header in ["Basic YWRhOnNlY3JldA==", "eyJhbGciOiJFZERTQSJ9.e30.c2ln"] {
        let response = fixture.by(&stage.anyone()).header("authorization", header).await.refused(401, "unauthorized");
        assert_eq!(response["error"]["message"], "Authorization must be `Bearer TOKEN`.", "{id}");
    }

    for (who, caller, reason) in impostors(stage, owner) {
        let response = fixture.by(&caller).await;
        assert_eq!(
            (response.status, response["error"]["code"].as_str()),
            (401, Some("invalid_token")),
            "{id}, {who}: {response}"
        );
        let response = response.refused(401, "invalid_token");
        let description = reason.as_ref().map_or(String::new(), |reason| format!("error_description=\"{reason}\", "));
        let challenge = format!("Bearer error=\"invalid_token\", {description}{scope}resource_metadata=\"{metadata}\"");
        assert_eq!(response.header("www-authenticate"), challenge, "{id}, {who}");
        let message = reason.map_or(code::INVALID_TOKEN.sentence.to_owned(), |reason| format!("{reason}."));
        assert_eq!(response["error"]["message"], message, "{id}, {who}");
        assert_eq!(response["error"]["next_action"], next, "{id}, {who}");
        actions.show(operation, &response);
    }
}

/// The URL of the metadata in a challenge, and the scope that a 401 names: at the endpoint for agents only.
fn challenge_of(stage: &Stage, operation: &Contract) -> (String, String) {
    if operation.path != challenge::MCP_PATH {
        return (format!("{}{}", stage.base_url(), challenge::METADATA_PATH), String::new());
    }
    let scope = operation.required().map(|required| format!("scope=\"{}\", ", required.scope));
    (format!("{}{}", stage.base_url(), challenge::MCP_METADATA_PATH), scope.unwrap_or_default())
}

/// Callers whose tokens are invalid: a name, the caller, and the reason that the service may give. It gives a reason
/// only if the issuer signed the token.
fn impostors(stage: &Stage, owner: &Caller) -> Vec<(&'static str, Caller, Option<String>)> {
    let owner = || owner.clone();
    let now = stage.now().seconds();
    let other = Issuer::new("https://other.test", "other");
    let good = owner().token();
    let parts: Vec<&str> = good.split('.').collect();
    let us = format!("The token's aud must be {0} or {0}{1}", stage.base_url(), challenge::MCP_PATH);
    let issuer = format!("The token's iss must be {}", owner().claim_text("iss"));
    let time = |ago: i64| Timestamp::from_seconds(now - ago);
    let mut impostors = vec![
        ("another audience", owner().claim("aud", "https://elsewhere.test"), Some(us.clone())),
        ("a longer audience", owner().claim("aud", format!("{}/", stage.base_url())), Some(us.clone())),
        (
            "expired",
            owner().claim("exp", now - 120).claim("iat", now - 3720),
            Some(format!("The token expired at {}", time(120))),
        ),
        (
            "not yet valid",
            owner().claim("nbf", now + 3000),
            Some(format!("The token is not valid before {}", time(-3000))),
        ),
        ("another issuer", owner().claim("iss", "https://other.test"), Some(issuer.clone())),
        ("another issuer's key", owner().signed_by(&other), None),
        ("another issuer's key, expired", owner().claim("exp", now - 120).signed_by(&other), None),
        ("an unknown key", owner().token_header("kid", "other").signed_by(&other), None),
        ("a key in its own header", owner().token_header("jwk", other.jwk()).signed_by(&other), None),
        ("alg none", owner().token_header("alg", "none"), None),
        ("alg none, unsigned", owner().bearer(unsigned(&owner())), None),
        ("alg HS256", owner().token_header("alg", "HS256"), None),
        ("critical extensions", owner().token_header("crit", json!(["b64"])).token_header("b64", false), None),
        ("an ID token", owner().token_header("typ", "JWT"), None),
        ("no signature", owner().bearer(format!("{}.{}.", parts[0], parts[1])), None),
        ("two parts", owner().bearer(format!("{}.{}", parts[0], parts[1])), None),
        ("a fourth part", owner().bearer(format!("{good}.")), None),
        ("not a token", owner().bearer("open-sesame"), None),
        ("9 KiB", owner().claim("padding", "x".repeat(9 * 1024)), None),
        ("no iss", owner().without_claim("iss"), Some(issuer)),
        ("no aud", owner().without_claim("aud"), Some(us)),
    ];
    for claim in ["exp", "iat", "sub", "jti", "scope", "grant_id"] {
        impostors.push(("a missing claim", owner().without_claim(claim), Some(format!("The token has no {claim}"))));
    }
    impostors
}

fn unsigned(caller: &Caller) -> String {
    let token = caller.clone().token_header("alg", "none").token();
    token.rsplit_once('.').map(|(signed, _)| format!("{signed}.")).expect("a token has three parts")
}

async fn without_scope(
    stage: &Stage,
    actions: &NextActions,
    operation: &Contract,
    fixture: &OperationFixture,
    owner: &Caller,
) {
    let Some(required) = &operation.required() else { return };
    let response = fixture.by(&owner.clone().scope("some.other.scope")).await.refused(403, "insufficient_scope");
    let (metadata, _) = challenge_of(stage, operation);
    let challenge =
        format!("Bearer error=\"insufficient_scope\", scope=\"{}\", resource_metadata=\"{metadata}\"", required.scope);
    assert_eq!(response.header("www-authenticate"), challenge, "{}", operation.id);
    assert_eq!(
        response["error"]["next_action"],
        json!({"type": "request_scope", "scope": required.scope}),
        "{}",
        operation.id
    );
    actions.show(operation, &response);
    charged(stage, &response);
}

async fn as_stranger(
    stage: &Stage,
    actions: &NextActions,
    operation: &Contract,
    fixture: &OperationFixture,
    owned: &BTreeSet<&str>,
    (owner, stranger): (&Caller, &Caller),
) {
    let Some(missing) = fixture.for_missing(owner) else {
        let response = fixture.by(stranger).await;
        assert!((200..300).contains(&response.status), "{}: everyone has their own: {response}", operation.id);
        let foreign: Vec<_> = texts(response.json()).into_iter().filter(|text| owned.contains(text)).collect();
        // A command of the stranger may name what it was sent.
        assert!(
            operation.method != "GET" || foreign.is_empty(),
            "{}: the owner's {foreign:?}: {response}",
            operation.id
        );
        return;
    };
    let missing = missing.await.refused(404, "not_found");
    actions.show(operation, &missing);
    let foreign = unchanged(stage, operation.id, fixture.by(stranger)).await.refused(404, "not_found");
    assert_eq!(redacted(foreign.json()), redacted(missing.json()), "{}: foreign is as missing", operation.id);
}

/// The ids in what belongs to the owner, such as `file_1` in a path.
fn ids_of_owner(fixtures: &[OperationFixture]) -> BTreeSet<&str> {
    let objects = fixtures.iter().filter_map(|fixture| fixture.object.as_ref());
    // No other part of a path has an underscore.
    objects.flat_map(|object| object.owned.split('/')).filter(|part| part.contains('_')).collect()
}

/// All texts in a JSON value, and the names of all members.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text.as_str()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(members) => {
            members.iter().flat_map(|(name, value)| [vec![name.as_str()], texts(value)].concat()).collect()
        }
        _ => Vec::new(),
    }
}
