//! `POST /mcp`.

use serde_json::{Value, json};
use shared_testing::{Caller, Response};

use crate::samples::{id, order, stage_with};

async fn call(caller: &Caller, method: &str, params: Value) -> Response {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let accept = "application/json, text/event-stream";
    caller.post("/mcp?structured=true").header("accept", accept).json(message).await
}

#[shared_testing::test]
async fn an_agent_reads_only_the_orders_of_its_owner() {
    let stage = stage_with(&[order("ada", 1), order("ada", 2), order("bob", 3)]).await;
    let ada = stage.caller("ada");
    let listed = call(&ada, "tools/call", json!({"name": "list_orders", "arguments": {"limit": 1}})).await.status(200);
    let body = &listed["result"]["structuredContent"]["untrusted"];
    let cursor = body["meta"]["next_cursor"].clone();
    assert_eq!((body["data"].as_array().map(Vec::len), cursor.is_string()), (Some(1), true), "{listed}");
    let next = json!({"name": "list_orders", "arguments": {"limit": 1, "cursor": cursor}});
    let next = call(&ada, "tools/call", next).await.status(200);
    assert_eq!(next["result"]["structuredContent"]["untrusted"]["meta"]["next_cursor"], Value::Null);
    let read = |number| json!({"name": "read_order", "arguments": {"order_id": id(number)}});
    let own = call(&ada, "tools/call", read(1)).await.status(200);
    assert_eq!(own["result"]["structuredContent"]["untrusted"]["data"]["id"], id(1), "{own}");
    let other = call(&ada, "tools/call", read(3)).await.status(200);
    assert_eq!(other["result"]["structuredContent"]["error"]["code"], "not_found", "{other}");
    let agent = ada.claim("grant_kind", "agent");
    call(&agent, "tools/list", json!({})).await.refused(403, "insufficient_scope");
}
