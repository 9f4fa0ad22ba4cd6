//! Each tool is called at least once.

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
    assert_eq!(
        names,
        [
            "search_files",
            "list_folder",
            "get_file",
            "read_document",
            "read_spreadsheet",
            "read_note",
            "read_publication",
            "read_presentation",
            "get_plan",
            "list_plans",
            "list_comments",
            "list_changes",
            "propose_edits",
            "apply_plan",
            "rebase_plan",
            "request_review",
            "create_file",
            "import_text",
            "create_folder",
            "add_comment",
            "resolve_comment",
            "save_draft",
            "promote_draft",
            "move_or_rename",
            "trash_or_restore",
            "upload_small_file",
        ]
    );
    let answer = message(&ada, "tools/list", json!({})).await.status(200);
    let again = message(&ada, "tools/list", json!({})).await.status(200);
    assert_eq!(answer["result"], again["result"]);
    for tool in answer["result"]["tools"].as_array().expect("tools") {
        let (name, schema) = (tool["name"].text(), &tool["inputSchema"]);
        let properties = schema["properties"].as_object().expect("properties");
        let required: Vec<_> =
            schema["required"].as_array().expect("required").iter().map(|name| name.text()).collect();
        let reads = tool["annotations"]["readOnlyHint"] == true;
        assert_eq!(properties.contains_key("idempotency_key"), !reads, "{name}");
        assert_eq!(required.contains(&"idempotency_key"), !reads, "{name}: commands need a key");
        assert!(required.iter().all(|name| properties.contains_key(*name)), "{name}: {required:?}");
        let whole = schema.to_string();
        assert!(!whole.contains("#/components/") && !whole.contains("\"example"), "{name}");
        for reference in whole.split("\"#/$defs/").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(schema["$defs"].get(reference).is_some(), "{name}: {reference}");
        }
    }
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
        let tool = format!("read_{kind}");
        let read = done(&client, &tool, json!({"file_id": file["id"]})).await;
        assert_eq!(read["file"]["type"].text(), kind, "{read}");
    }
    let cells = json!({"kind": "sheets", "sheets": [{"name": "Budget", "cells": [["a", "=SUM(1,2)"]]}]});
    let file =
        step(&client, "create_file", "s", json!({"type": "spreadsheet", "name": "Sums", "content": cells})).await;
    let range = json!({"file_id": file["file"]["id"], "sheet": "Budget", "range": "A1:B1"});
    let range = done(&client, "read_spreadsheet", range).await;
    assert_eq!(range["range"]["rows"][0][1]["value"], "=SUM(1,2)");
}

#[shared_testing::test]
async fn files_are_moved_renamed_trashed_and_restored() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let folder = step(&client, "create_folder", "f", json!({"name": "Papers"})).await["file"]["id"].clone();
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let mut etag = json!(samples::etag(&ada, &id).await);
    for (tool, own) in [
        ("move_or_rename", json!({"name": "Plans"})),
        ("move_or_rename", json!({"parent_id": folder})),
        ("trash_or_restore", json!({"action": "trash"})),
        ("trash_or_restore", json!({"action": "restore"})),
        ("move_or_rename", json!({"parent_id": null})),
    ] {
        let mut arguments = json!({"file_id": id, "if_match": etag});
        arguments.as_object_mut().expect("an object").extend(own.as_object().expect("an object").clone());
        let changed = step(&client, tool, &own.to_string(), arguments).await;
        etag = changed["file"]["etag"].clone();
        if own["parent_id"].is_string() {
            let listed = done(&client, "list_folder", json!({"parent_id": folder})).await;
            assert_eq!(listed["items"][0]["name"], "Plans");
        }
    }
    let record = done(&client, "get_file", json!({"file_id": id})).await;
    assert_eq!((&record["file"]["parent_id"], &record["file"]["state"]), (&Value::Null, &json!("active")));
    let changes = done(&client, "list_changes", json!({})).await;
    let types: Vec<_> = changes["items"].as_array().expect("items").iter().map(|item| item["type"].text()).collect();
    assert!(types.ends_with(&["file.trashed", "file.restored", "file.moved"]), "{types:?}");
}

#[shared_testing::test]
async fn comments_and_drafts_and_reviews() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let comment =
        step(&client, "add_comment", "c", json!({"file_id": id, "text": "Why?", "anchor": {"block_id": "b0"}})).await;
    let resolve =
        json!({"file_id": id, "comment_id": comment["comment"]["id"], "if_match": comment["comment"]["etag"]});
    step(&client, "resolve_comment", "r", resolve).await;
    let listed = done(&client, "list_comments", json!({"file_id": id})).await;
    assert_eq!(listed["items"][0]["status"], "resolved");
    let note = json!({"title": "T", "content": "one"});
    let draft = step(&client, "save_draft", "d", json!({"name": "Draft", "type": "note", "content": note})).await;
    let draft = draft["draft"]["id"].clone();
    let note = json!({"title": "T", "content": "two"});
    step(&client, "save_draft", "d2", json!({"draft_id": draft, "content": note})).await;
    let promoted = step(&client, "promote_draft", "pr", json!({"draft_id": draft})).await;
    let read = done(&client, "read_note", json!({"file_id": promoted["file"]["id"], "view": "full"})).await;
    assert_eq!(read["content"]["content"], "two");
    let plan = samples::plan(&ada, &id, "two").await;
    let reviewed =
        step(&client, "request_review", "rr", json!({"file_id": id, "plan_id": plan["id"], "note": "Look"})).await;
    assert_eq!(reviewed["plan"]["state"], "in_review");
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
