//! `POST /mcp`: with rmcp's client where clients would use one, otherwise by hand.

mod agent;
mod any_arguments;
mod confirming;
mod deciding;
mod examples;
mod gate;
mod hints;
mod next_steps;
mod protocol;
mod resources;
mod retries;
mod texts;
mod tools;
mod untrusted;
mod view;
mod walks;
mod what_files_say;

use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt as _, RoleClient,
    model::{CallToolRequestParams, CallToolResult, ProtocolVersion},
    service::RunningService,
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig},
};
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Stage};

/// A client with the newest protocol revision.
async fn client<C: ClientHandler>(stage: &Stage, caller: &Caller, own: C) -> RunningService<RoleClient, C> {
    let uri = format!("{}/mcp?structured=true", stage.base_url());
    let config = StreamableHttpClientTransportConfig::with_uri(uri).auth_header(caller.token());
    let newest = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let transport = StreamableHttpClientTransport::from_config(config);
    own.serve_with_lifecycle(transport, newest).await.expect("a client")
}

/// Calls a tool.
async fn call<C: ClientHandler>(
    client: &RunningService<RoleClient, C>,
    tool: &str,
    arguments: Value,
) -> CallToolResult {
    let params =
        CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.as_object().expect("arguments").clone());
    client.call_tool(params).await.unwrap_or_else(|error| panic!("{tool}: {error:?}"))
}

/// The result of a call, which must succeed.
async fn done<C: ClientHandler>(client: &RunningService<RoleClient, C>, tool: &str, arguments: Value) -> Value {
    let result = call(client, tool, arguments).await;
    let body = structured(&result);
    assert_ne!(result.is_error, Some(true), "{tool}: {body}");
    body
}

/// The error of a call, which must fail.
async fn refused<C: ClientHandler>(client: &RunningService<RoleClient, C>, tool: &str, arguments: Value) -> Value {
    let result = call(client, tool, arguments).await;
    let body = structured(&result);
    assert_eq!(result.is_error, Some(true), "{tool}: {body}");
    body
}

/// What the operation has answered.
fn structured(result: &CallToolResult) -> Value {
    let content = result.structured_content.clone().expect("structured content");
    content.get("untrusted").cloned().unwrap_or(content)
}

/// The text of a result.
fn text(result: &CallToolResult) -> String {
    let content = serde_json::to_value(&result.content).expect("content");
    content[0]["text"].as_str().expect("a text").to_owned()
}

/// What a model reads, for a client that does not ask for structure.
async fn said(caller: &Caller, tool: &str, arguments: Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let answer = caller.post("/mcp").json(body).await.status(200);
    assert!(answer["result"].get("structuredContent").is_none(), "{answer}");
    answer["result"]["content"][0]["text"].as_str().expect("a text").to_owned()
}

/// A message of an older protocol revision.
pub fn message(caller: &Caller, method: &str, params: Value) -> Request {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    caller
        .post("/mcp?structured=true")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-06-18")
        .json(body)
}
