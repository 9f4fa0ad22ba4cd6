//! What lists say beside names and arguments. They say what a tool may change, and how long a client may keep the list.

use std::collections::BTreeSet;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Stage, Text as _};

use super::message;

/// The tools that only add. Clients ask their user before all others that write.
const ADDING: [&str; 16] = [
    "edit_document",
    "edit_spreadsheet",
    "edit_note",
    "edit_publication",
    "edit_presentation",
    "rebase_plan",
    "request_review",
    "split_plan",
    "return_plan",
    "propose_together",
    "request_proposal_review",
    "rebase_proposal",
    "add_comment",
    "create_file",
    "copy_file",
    "upload_small_file",
];

#[shared_testing::test]
async fn hints_say_whether_a_tool_reads_adds_or_replaces() {
    let stage = Stage::of(service()).await;
    let routes = stage.routes();
    let contracts = routes.contracts().filter(|contract| contract.method.as_str() == "GET");
    let reads: BTreeSet<_> = contracts.map(|contract| contract.id).collect();
    let tools = stage.service().described_tools().expect("tools").tools;
    let reading = tools.iter().filter(|tool| {
        // Its operation is a POST that changes no file.
        tool.name == "download_link" || tool.operations.iter().all(|id| reads.contains(id))
    });
    let reading: Vec<_> = reading.map(|tool| tool.name).collect();

    let answer = message(&stage.caller("ada"), "tools/list", json!({})).await.status(200);
    let listed = answer["result"]["tools"].as_array().expect("tools");
    assert_eq!(listed.len(), tools.len(), "her scopes allow all");
    let with = |annotations: Value| {
        let tools = listed.iter().filter(|tool| tool["annotations"] == annotations);
        tools.map(|tool| tool["name"].text()).collect::<Vec<_>>()
    };
    assert_eq!(with(json!({"readOnlyHint": true})), reading);
    assert_eq!(with(json!({"destructiveHint": false})), ADDING);
    let rest = with(Value::Null);
    assert_eq!(rest.len(), listed.len() - reading.len() - ADDING.len(), "without any hint: {rest:?}");
}

/// A request of the newest protocol revision.
fn newest(caller: &Caller, method: &str) -> Request {
    let about = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = message(caller, method, json!({"_meta": about})).without_header("mcp-protocol-version");
    request.header("mcp-protocol-version", "2026-07-28").header("mcp-method", method)
}

/// Other grants see other tools, so a list is not shared.
#[shared_testing::test]
async fn a_client_may_keep_a_list_for_five_minutes_for_itself() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for (method, list) in
        [("tools/list", "tools"), ("prompts/list", "prompts"), ("resources/templates/list", "resourceTemplates")]
    {
        let answer = newest(&ada, method).await.status(200);
        let result = &answer["result"];
        assert!(result[list].as_array().is_some_and(|items| !items.is_empty()), "{method}: {answer}");
        // Older revisions have no types of results.
        assert_eq!(result["resultType"], "complete", "{method}: {answer}");
        let kept = (&result["ttlMs"], &result["cacheScope"]);
        assert_eq!(kept, (&json!(300_000), &json!("private")), "{method}: {answer}");
    }
}
