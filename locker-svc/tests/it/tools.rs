//! `POST /mcp`.

use locker_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Response, Stage, Text as _};

use crate::samples::{import, subscription};

async fn call(caller: &Caller, method: &str, params: Value) -> Response {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    caller.post("/mcp?structured=true").header("accept", "application/json, text/event-stream").json(message).await
}

#[shared_testing::test]
async fn each_tool_asks_for_the_scope_of_its_operation() {
    let stage = Stage::of(service()).await;
    import(&stage, &[subscription("ada", 1, 0)]).await.expect("good lines");
    let ada = stage.caller("ada");
    let names = async |caller: &Caller| {
        let listed = call(caller, "tools/list", json!({})).await.status(200);
        let tools = listed["result"]["tools"].as_array().expect("tools").clone();
        tools.iter().map(|tool| tool["name"].text().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&ada).await, ["get_catalogue", "list_subscriptions", "list_export_parts"]);
    let listed = call(&ada, "tools/call", json!({"name": "list_subscriptions"})).await.status(200);
    assert_eq!(listed["result"]["structuredContent"]["untrusted"]["data"][0]["sku"], "room-s", "{listed}");
    let chats = stage.caller("ada").scope("locker.chat");
    assert_eq!(names(&chats).await, ["get_catalogue"]);
    let refused = call(&chats, "tools/call", json!({"name": "list_subscriptions"})).await;
    assert!(refused.refused(403, "insufficient_scope").header("www-authenticate").contains("locker.billing.read"));
    let missing = json!({"name": "list_export_parts", "arguments": {"export": "exp_1"}});
    let missing = call(&ada, "tools/call", missing).await.status(200);
    assert_eq!(missing["result"]["structuredContent"]["error"]["code"], "not_found", "{missing}");
}
