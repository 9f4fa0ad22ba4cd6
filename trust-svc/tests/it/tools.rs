//! `POST /mcp`.

use serde_json::{Value, json};
use shared_testing::{Caller, Response, Stage, Text as _};

use crate::test_signer::{TestSigner, hash, listed, next};

async fn call(caller: &Caller, name: &str, arguments: Value) -> Response {
    let params = json!({"name": name, "arguments": arguments});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    caller
        .post("/mcp?structured=true")
        .header("accept", "application/json, text/event-stream")
        .json(message)
        .await
        .status(200)
}

#[shared_testing::test]
async fn any_agent_reads_an_event_and_verifies_its_receipt() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let first = listed(1, stage.now());
    let receipt = signer.publish(&first).await.status(200)["data"]["receipt"].text().to_owned();
    let second = next(&first, "market.updated", stage.now());
    signer.publish(&second).await.status(200);
    let anyone = stage.anyone();
    let read = call(&anyone, "read_event", json!({"event_hash": hash(&first)})).await;
    let result = &read["result"];
    assert_eq!(result["structuredContent"]["untrusted"]["data"]["event"], first, "{read}");
    assert_eq!(result["_meta"]["ifc"]["confidentiality"], "public");
    for (event, receipt, verified) in [
        (&first, Some(receipt.as_str()), true),
        (&first, None, true),
        (&second, Some(receipt.as_str()), false),
        (&first, Some("no receipt"), false),
    ] {
        let mut arguments = json!({"event_hash": hash(event)});
        if let Some(receipt) = receipt {
            arguments["receipt"] = json!(receipt);
        }
        let verdict = call(&anyone, "verify_receipt", arguments).await;
        let data = &verdict["result"]["structuredContent"]["untrusted"]["data"];
        assert_eq!((&data["verified"], data["why"].is_string()), (&json!(verified), !verified), "{verdict}");
    }
    let missing = call(&anyone, "verify_receipt", json!({"event_hash": format!("sha256:{}", "0".repeat(64))})).await;
    assert_eq!(missing["result"]["structuredContent"]["error"]["code"], "not_found", "{missing}");
}
