//! Tools with the ids of the owner, called by a stranger. Each answers as for ids that nobody has, and changes nothing.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use shared_runtime::{
    http::contract::Contract,
    mcp::{self, Effect, Shape, Tool, ToolArgument},
};

use super::unchanged::unchanged;
use crate::{
    caller::Caller,
    operation_fixture::{Objects, OperationFixture},
    redact::redacted,
    request::Request,
    response::{Response, Text as _},
    stage::Stage,
};

/// Made by the service if a call has none.
const KEY: &str = "idempotency_key";
const ANY_TEXT: &str = "x";

/// Calls each tool as its operations' fixtures call these.
pub(super) async fn as_stranger(stage: &Stage, owner: &Caller, stranger: &Caller, fixtures: &[OperationFixture]) {
    let routes = stage.routes();
    let tools = stage.service().described_tools().map_or(Vec::new(), |tools| tools.tools);
    for tool in &tools {
        let is_own = |contract: &&Contract| tool.operations.contains(&contract.id) && contract.required().is_some();
        for contract in routes.contracts().filter(is_own) {
            let fixture = fixtures.iter().find(|fixture| fixture.operation == contract.id);
            let fixture = fixture.unwrap_or_else(|| panic!("no fixture for {}", contract.id));
            let (Some(objects), Some(missing)) = (&fixture.object, fixture.for_missing(owner)) else {
                let names_object = contract.path_names().any(|name| takes(tool, name));
                assert!(!names_object, "{}: the fixture of {} has no object", tool.name, contract.id);
                continue;
            };
            let arguments = [fixture.by(owner), missing].map(|request| arguments(tool, contract, &request));
            // Some tools take no id of what their later operations are about.
            if arguments[0] != arguments[1] {
                compared(stage, (owner, stranger), (tool, contract), objects, arguments).await;
            }
        }
    }
}

async fn compared(
    stage: &Stage,
    (owner, stranger): (&Caller, &Caller),
    (tool, contract): (&Tool, &Contract),
    objects: &Objects,
    [owned, missing]: [Value; 2],
) {
    let what = format!("{} for {}", tool.name, contract.id);
    // With a grant of its own for each tool, so that no rate limit is reached.
    let stranger = stranger.clone().claim("grant_id", format!("grant-for-{}-{}", tool.name, contract.id));
    let missing = called(&stranger, tool, missing).await;
    let foreign = unchanged(stage, &what, called(&stranger, tool, owned.clone())).await;
    assert_eq!(foreign["result"]["isError"], true, "{what}: {foreign}");
    let told = |answer: &Response| objects.hidden_in(&redacted(&answer["result"]).to_string());
    assert_eq!(told(&foreign), told(&missing), "{what}: foreign is as missing");
    // A change would spend what the fixture is about. Of reads, some need what no fixture of an operation has.
    if tool.effect == Effect::Reads && is_complete(tool, &owned) {
        let own = called(owner, tool, owned).await;
        assert_eq!(own["result"]["isError"], false, "{what}: the owner is accepted: {own}");
    }
}

/// The arguments that say what the request of an operation says.
fn arguments(tool: &Tool, contract: &Contract, request: &Request) -> Value {
    let path = request.path().split('?').next().unwrap_or_default();
    let in_path = contract.path.split('/').zip(path.split('/'));
    let in_path: Map<String, Value> = in_path
        .filter_map(|(name, value)| Some((name.strip_prefix('{')?.strip_suffix('}')?.to_owned(), json!(value))))
        .collect();
    let body = request.json_body().unwrap_or_default();
    let mut arguments = Map::new();
    for argument in tool.arguments.iter().filter(|argument| argument.name != KEY) {
        let header = request.header_value(&argument.name.replace('_', "-")).map(|value| json!(value));
        let member = body.get(argument.name).filter(|value| !value.is_null()).cloned();
        let sent = in_path.get(argument.name).cloned().or(header).or(member);
        if let Some(value) = sent.or_else(|| argument.is_required.then(|| any(&argument.shape))) {
            arguments.insert(argument.name.to_owned(), value);
        }
    }
    Value::Object(arguments)
}

/// A value of this shape, which the operation may refuse.
fn any(shape: &Shape) -> Value {
    match shape {
        Shape::Text => json!(ANY_TEXT),
        Shape::Integer | Shape::Number => json!(1),
        Shape::Flag => json!(true),
        Shape::Word(words) => json!(words.first()),
        Shape::List(_) => json!([]),
        Shape::Object(_) => json!({}),
    }
}

/// Whether all required arguments have a value of which a fixture is sure.
fn is_complete(tool: &Tool, arguments: &Value) -> bool {
    let is_sure = |argument: &ToolArgument| arguments[argument.name] != any(&argument.shape);
    tool.arguments.iter().filter(|argument| argument.is_required).all(is_sure)
}

fn takes(tool: &Tool, name: &str) -> bool {
    tool.arguments.iter().any(|argument| argument.name == name)
}

async fn called(caller: &Caller, tool: &Tool, arguments: Value) -> Response {
    message(caller, "tools/call", &json!({"name": tool.name, "arguments": arguments})).await.status(200)
}

/// The names of the tools that are listed for this caller.
pub(super) async fn listed(caller: &Caller) -> BTreeSet<String> {
    let listed = message(caller, "tools/list", &json!({})).await.status(200);
    let tools = listed["result"]["tools"].as_array().expect("tools");
    tools.iter().map(|tool| tool["name"].text().to_owned()).collect()
}

/// Sends a message to the endpoint for agents. Results also have the body of the operation.
pub(super) async fn message(caller: &Caller, method: &str, params: &Value) -> Response {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let request = caller.post(format!("{}?structured=true", mcp::PATH));
    request.header("accept", "application/json, text/event-stream").json(body).await
}
