//! Each tool is called at least once.

use std::collections::BTreeSet;

use cloud_svc::service;
use rmcp::{ClientHandler, RoleClient, service::RunningService};
use serde_json::{Value, json};
use shared_testing::{Stage, Text as _};

use super::{client, done, message};
use crate::samples;

#[shared_testing::test]
async fn the_tools_are_listed_with_their_arguments() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let listed = client.list_all_tools().await.expect("tools");
    let names: Vec<_> = listed.iter().map(|tool| tool.name.to_string()).collect();
    let expected = "search_files search_content list_folder get_file download_link read_file list_versions compare_versions who_wrote list_plans \
                    get_plan await_decision list_comments my_mentions recent_changes list_changes list_drafts edit_document \
                    edit_spreadsheet edit_note edit_publication edit_presentation apply_plan rebase_plan request_review \
                    split_plan return_plan discard_plan reject_plan propose_together get_proposal request_proposal_review \
                    rebase_proposal discard_proposal apply_proposal add_comment change_comment restore_version create_file copy_file \
                    move_or_rename trash_or_restore upload_small_file save_draft promote_draft discard_draft";
    assert_eq!(names.join(" "), expected);
    let answer = message(&ada, "tools/list", json!({})).await.status(200);
    let again = message(&ada, "tools/list", json!({})).await.status(200);
    assert_eq!(answer["result"], again["result"]);
}

/// A model pays for the list before it does anything, with each turn of the conversation.
#[shared_testing::test]
async fn the_list_of_tools_is_short() {
    let stage = Stage::of(service()).await;
    let length = async |scope: &str| {
        let caller = stage.caller("ada").scope(scope);
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
        let request = caller.post("/mcp").header("accept", "application/json, text/event-stream").json(body);
        request.await.status(200)["result"]["tools"].to_string().chars().count()
    };
    let (all, reader) = (length("cloud.write cloud.approve cloud.webhooks").await, length("cloud.read").await);
    assert!(all <= 20_000 && reader <= 8_000, "{all} {reader}");
}

async fn step<C: ClientHandler>(
    client: &RunningService<RoleClient, C>,
    tool: &str,
    key: &str,
    mut arguments: Value,
) -> Value {
    arguments["idempotency_key"] = json!(key);
    done(client, tool, arguments).await
}

#[shared_testing::test]
async fn every_kind_of_file_is_created_and_read() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    for kind in ["document", "spreadsheet", "note", "publication", "presentation"] {
        let file = step(&client, "create_file", kind, json!({"type": kind, "name": kind})).await["file"].clone();
        let read = done(&client, "read_file", json!({"file_id": file["id"]})).await;
        assert_eq!(read["file"]["type"].text(), kind, "{read}");
    }
    let csv = json!({"type": "spreadsheet", "name": "Sums", "text": "a,1"});
    let file = step(&client, "create_file", "s", csv).await["file"].clone();
    let sheets = done(&client, "read_file", json!({"file_id": file["id"]})).await["sheets"].clone();
    let range = format!("{}!A1:B1", sheets[0]["name"].text());
    let operations = json!([{"op": "set_cells", "range": range, "values": [["b", "=SUM(1,2)"]]}]);
    let edit = json!({"file_id": file["id"], "if_match": file["etag"], "operations": operations});
    let plan = step(&client, "edit_spreadsheet", "e", edit).await["plan"].clone();
    let apply = json!({"file_id": file["id"], "plan_id": plan["id"], "if_match": file["etag"]});
    step(&client, "apply_plan", "a", apply).await;
    let read = done(&client, "read_file", json!({"file_id": file["id"], "range": range})).await;
    let cell = &read["range"]["rows"][0][1];
    assert_eq!((&cell["value"], &cell["computed"]["value"]), (&json!("=SUM(1,2)"), &json!(3)));
    let version = done(&client, "list_versions", json!({"file_id": file["id"]})).await["items"][1]["id"].clone();
    let older = done(&client, "read_file", json!({"file_id": file["id"], "version_id": version})).await;
    assert_eq!(older["content"]["sheets"][0]["cells"], json!([["a", "1"]]));
    for place in ["range", "sheet"] {
        let asked = json!({"file_id": file["id"], "version_id": version, place: range});
        let asked = json!({"name": "read_file", "arguments": asked});
        let said = message(&ada, "tools/call", asked).await.status(200);
        assert!(said.body().contains("must be absent with version_id"), "{said}");
    }
}

#[shared_testing::test]
async fn files_are_moved_renamed_trashed_and_restored() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let folder =
        step(&client, "create_file", "f", json!({"type": "folder", "name": "Papers"})).await["file"]["id"].clone();
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let mut etag = json!(samples::etag(&ada, &id).await);
    for (tool, own) in [
        ("move_or_rename", json!({"name": "Plans"})),
        ("move_or_rename", json!({"parent_id": folder})),
        ("trash_or_restore", json!({"action": "trash"})),
        ("trash_or_restore", json!({"action": "restore"})),
        ("move_or_rename", json!({"parent_id": "root"})),
    ] {
        let mut arguments = json!({"file_id": id, "if_match": etag});
        arguments.as_object_mut().expect("an object").extend(own.as_object().expect("an object").clone());
        let changed = step(&client, tool, &own.to_string(), arguments).await;
        etag = changed["file"]["etag"].clone();
        if own["parent_id"] == folder {
            let listed = done(&client, "list_folder", json!({"parent_id": folder})).await;
            assert_eq!(listed["items"][0]["name"], "Plans");
        }
    }
    let copy = step(&client, "copy_file", "c", json!({"file_id": id, "name": "Copy"})).await;
    assert_eq!(copy["file"]["name"], "Copy");
    let record = done(&client, "get_file", json!({"file_id": id})).await;
    assert_eq!((&record["file"]["parent_id"], &record["file"]["state"]), (&Value::Null, &json!("active")));
    let changes = done(&client, "list_changes", json!({})).await;
    let types: Vec<_> = changes["items"].as_array().expect("items").iter().map(|item| item["type"].text()).collect();
    let recent = done(&client, "recent_changes", json!({"limit": 2})).await;
    assert_eq!((recent["items"][0]["type"].text(), recent["items"][1]["type"].text()), ("file.created", "file.moved"));
    assert!(types.ends_with(&["file.trashed", "file.restored", "file.moved", "file.created"]), "{types:?}");
}

#[shared_testing::test]
async fn comments_and_drafts_and_reviews() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let comment = json!({"file_id": id, "text": "Why?", "block_id": "b0"});
    let comment = step(&client, "add_comment", "c", comment).await["comment"].clone();
    assert_eq!(comment["anchor"]["block_id"], "b0");
    let reply = json!({"file_id": id, "text": "Because.", "parent_comment_id": comment["id"]});
    step(&client, "add_comment", "c2", reply).await;
    let change = |action: &str, etag: &Value| json!({"file_id": id, "comment_id": comment["id"], "if_match": etag, "action": action, "text": "Really?"});
    let without_text = |mut arguments: Value| {
        arguments.as_object_mut().expect("an object").remove("text");
        arguments
    };
    let edited = step(&client, "change_comment", "e", change("edit", &comment["etag"])).await["comment"].clone();
    let resolve = without_text(change("resolve", &edited["etag"]));
    let resolved = step(&client, "change_comment", "r", resolve).await["comment"].clone();
    assert_eq!((resolved["text"].text(), resolved["status"].text()), ("Really?", "resolved"));
    // Somebody else who may write the file settles it.
    let bob = super::client(&stage, &stage.caller("bob"), ()).await;
    let reopened = done(&bob, "change_comment", without_text(change("reopen", &resolved["etag"]))).await;
    assert_eq!(reopened["comment"]["status"], "open");
    let deleted = without_text(change("delete", &reopened["comment"]["etag"]));
    step(&client, "change_comment", "d", deleted).await;
    let draft = json!({"name": "Draft", "type": "note", "text": "one"});
    let draft = step(&client, "save_draft", "d", draft).await["draft"]["id"].clone();
    let changed = json!({"draft_id": draft, "name": "Draft", "type": "note", "text": "two"});
    step(&client, "save_draft", "d2", changed).await;
    let shown = done(&client, "list_drafts", json!({"draft_id": draft})).await;
    assert_eq!(shown["draft"]["content"]["content"], "two");
    let promoted = step(&client, "promote_draft", "pr", json!({"draft_id": draft})).await;
    let read = done(&client, "read_file", json!({"file_id": promoted["file"]["id"], "view": "full"})).await;
    assert_eq!(read["content"]["content"], "two");
    let other = json!({"name": "Other", "type": "document", "text": "# One"});
    let other = step(&client, "save_draft", "d3", other).await["draft"]["id"].clone();
    step(&client, "discard_draft", "dd", json!({"draft_id": other})).await;
    let plan = samples::plan(&ada, &id, "two").await;
    let reviewed =
        step(&client, "request_review", "rr", json!({"file_id": id, "plan_id": plan["id"], "note": "Look"})).await;
    assert_eq!(reviewed["plan"]["state"], "in_review");
}

#[shared_testing::test]
async fn plans_are_awaited_rejected_discarded_and_compared() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let client_of_ada = client(&stage, &ada, ()).await;
    let client_of_bob = client(&stage, &bob, ()).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let named = |plan: &Value| json!({"file_id": id, "plan_id": plan["id"]});
    let asked = samples::plan(&ada, &id, "two").await;
    step(&client_of_ada, "request_review", "r", named(&asked)).await;
    let waiting = done(&client_of_bob, "list_plans", json!({"for": "me"})).await;
    assert_eq!(waiting["items"][0]["id"], asked["id"]);
    // The verdict comes while the author waits.
    let verdict = async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let mut rejection = named(&asked);
        rejection["reason"] = json!("Too early");
        step(&client_of_bob, "reject_plan", "no", rejection).await
    };
    let (awaited, _) = tokio::join!(done(&client_of_ada, "await_decision", named(&asked)), verdict);
    assert_eq!(awaited["plan"]["state"], "rejected");
    assert_eq!(awaited["plan"]["review"]["reason"], "Too early");
    // Nothing to wait for: it is answered at once.
    assert_eq!(done(&client_of_ada, "await_decision", named(&asked)).await["plan"]["state"], "rejected");

    let other = samples::plan(&ada, &id, "three").await;
    assert_eq!(step(&client_of_ada, "discard_plan", "d", named(&other)).await["plan"]["state"], "discarded");
    samples::apply(&ada, &samples::plan(&ada, &id, "four").await).await.await.status(200);
    let versions = done(&client_of_ada, "list_versions", json!({"file_id": id})).await["items"].clone();
    let compare = json!({"file_id": id, "version_id": versions[1]["id"], "with": versions[0]["id"]});
    let compared = done(&client_of_ada, "compare_versions", compare).await;
    assert_eq!(compared["changes"][0]["kind"], "insert");
    let written = done(&client_of_ada, "who_wrote", json!({"file_id": id})).await;
    assert_eq!(written["items"][0]["author"]["id"], "ada");
    assert_eq!(done(&client_of_ada, "my_mentions", json!({})).await["items"], json!([]));
    let link = done(&client_of_ada, "download_link", json!({"file_id": id, "format": "markdown"})).await;
    assert!(link["download"]["url"].text().contains("/v1/downloads/"), "{link}");
}

/// Newest first, page by page, and only those of the workspace.
#[shared_testing::test]
async fn recent_changes_are_read_backwards() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for name in ["a", "b", "c"] {
        samples::create(&ada, name).await.status(200);
    }
    samples::create(&stage.caller("carol").workspace(2), "foreign").await.status(200);
    let first = ada.get("/v1/changes/recent?limit=2").await.status(200);
    let names = |page: &Value| -> Vec<String> {
        page.as_array().expect("items").iter().map(|item| item["file"]["name"].text().to_owned()).collect()
    };
    assert_eq!((names(&first["items"]), &first["has_more"]), (vec!["c".to_owned(), "b".to_owned()], &json!(true)));
    let second =
        ada.get(format!("/v1/changes/recent?limit=2&cursor={}", first["next_cursor"].text())).await.status(200);
    assert_eq!((names(&second["items"]), &second["next_cursor"]), (vec!["a".to_owned()], &Value::Null));
    ada.get("/v1/changes/recent?cursor=AAAA").await.refused(400, "invalid_cursor");
}

#[shared_testing::test]
async fn a_small_file_is_uploaded_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let upload = json!({"name": "a.bin", "mime": "text/plain", "content_base64": "AAEC/w=="});
    let first = step(&client, "upload_small_file", "u", upload.clone()).await;
    let again = step(&client, "upload_small_file", "u", upload).await;
    assert_eq!((&again["file"], &again["replayed"]), (&first["file"], &json!(true)));
    assert_eq!((first["upload"]["size"].as_i64(), first["file"]["type"].text()), (Some(4), "uploaded_file"));
    let empty =
        step(&client, "upload_small_file", "e", json!({"name": "e", "mime": "x/y", "content_base64": ""})).await;
    assert_eq!(empty["upload"]["size"], 0);
    assert_eq!(stage.count("uploads"), 2);
}

/// The operations that no tool carries out, by the reason that the guide gives.
const WITHOUT_TOOL: [(&str, &[&str]); 4] = [
    (
        "what people decide",
        &[
            "approve_edit_plan",
            "approve_proposal",
            "reject_proposal",
            "purge_file",
            "protect_file",
            "get_risk_rules",
            "set_risk_rules",
            "list_agents",
            "get_agent_limits",
            "set_agent_limits",
            "revoke_agent",
        ],
    ),
    (
        "what programs set up or fetch",
        &[
            "list_webhooks",
            "create_webhook",
            "get_webhook",
            "update_webhook",
            "verify_webhook",
            "ping_webhook",
            "disable_webhook",
            "enable_webhook",
            "revoke_webhook",
            "rotate_webhook_secret",
            "replay_webhook",
            "list_webhook_deliveries",
            "put_chunk",
            "complete_upload",
            "get_upload",
            "cancel_upload",
            "download_file",
            "export_sheet",
            "export_plan_to_word",
            "read_word_choices",
            "get_plan_receipt",
            "list_receipts",
            "get_receipts_head",
            "list_receipt_keys",
            "get_change_cursor",
        ],
    ),
    (
        "what other tools do as well",
        &[
            "amend_edit_plan",
            "compare_edit_plans",
            "list_edit_plans",
            "change_proposal",
            "list_proposals",
            "undo_proposal",
            "get_version",
        ],
    ),
    (
        "what every service has",
        &[
            "get_service",
            "read_command",
            "list_workspaces",
            "read_openapi",
            "read_protected_resource",
            "read_mcp_protected_resource",
            "get_developer_manifest",
            "send_mcp_message",
        ],
    ),
];

#[shared_testing::test]
async fn each_operation_has_a_tool_or_a_reason_to_have_none() {
    let stage = Stage::of(service()).await;
    let tools = stage.service().described_tools().expect("tools").tools;
    let with_tool: BTreeSet<_> = tools.iter().flat_map(|tool| tool.operations).copied().collect();
    let routes = stage.routes();
    let missing: BTreeSet<_> =
        routes.contracts().map(|contract| contract.id).filter(|id| !with_tool.contains(id)).collect();
    let known: BTreeSet<_> = WITHOUT_TOOL.iter().flat_map(|(_, ids)| *ids).copied().collect();
    assert_eq!(missing, known);
}
