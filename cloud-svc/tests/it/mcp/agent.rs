//! The work of an agent: find, read, propose, apply, retry, and recover as the errors say.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Stage, Text as _};

use super::{call, client, done, refused, structured};
use crate::samples;

#[shared_testing::test]
async fn an_agent_finds_reads_proposes_and_applies() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let created = done(
        &client,
        "create_file",
        json!({"type": "document", "name": "Minutes", "idempotency_key": "c1", "text": "# Minutes"}),
    );
    let id = created.await["file"]["id"].text().to_owned();
    let found = done(&client, "search_files", json!({"name_contains": "minu"})).await;
    assert_eq!(found["items"][0]["id"], id.as_str());
    let read = done(&client, "read_file", json!({"file_id": id})).await;
    let title = &read["content"]["blocks"][0]["id"];
    let proposal = json!({
        "file_id": id, "if_match": read["file"]["etag"], "idempotency_key": "p1",
        "operations": [{"op": "insert_markdown", "before_id": title, "markdown": "Agreed."}],
    });
    let plan = done(&client, "edit_document", proposal).await["plan"].clone();
    assert_eq!((&plan["changes"][0]["kind"], &plan["changes"][0]["after_id"]), (&json!("insert"), &Value::Null));
    let got = done(&client, "get_plan", json!({"file_id": id, "plan_id": plan["id"]})).await;
    assert_eq!(got["plan"]["id"], plan["id"]);
    let apply = json!({"file_id": id, "plan_id": plan["id"], "if_match": plan["base_etag"], "idempotency_key": "a1"});
    let applied = done(&client, "apply_plan", apply.clone()).await;
    assert_eq!(applied["plan"]["state"], "applied");
    let again = done(&client, "apply_plan", apply).await;
    assert_eq!((&again["replayed"], &again["file"]), (&json!(true), &applied["file"]));
    let versions = ada.get(format!("/v1/files/{id}/versions")).await.status(200);
    assert_eq!((versions["items"].as_array().map(Vec::len), versions["items"][0]["via"].text()), (Some(2), "mcp"));
}

/// An idempotency key belongs to an operation, whether it is called over HTTP or as a tool.
#[shared_testing::test]
async fn a_command_replays_across_tools_and_http() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    let apply = json!({"file_id": id, "plan_id": plan["id"], "if_match": plan["base_etag"], "idempotency_key": "k"});
    let by_tool = done(&client, "apply_plan", apply).await;
    let over_http = ada.post(plan["apply_url"].text()).key("k").header("if-match", plan["base_etag"].text());
    let over_http = over_http.json(json!({})).await.status(200);
    assert_eq!((&over_http["replayed"], &over_http["file"]), (&json!(true), &by_tool["file"]));
    let folder = ada.post("/v1/folders").key("f").json(json!({"name": "Papers"})).await.status(200);
    let papers = |name: &str| json!({"type": "folder", "name": name, "idempotency_key": "f"});
    let again = done(&client, "create_file", papers("Papers")).await;
    assert_eq!((&again["replayed"], &again["file"]), (&json!(true), &folder["file"]));
    let other = refused(&client, "create_file", papers("Other")).await;
    assert_eq!(other["error"]["code"], "idempotency_key_reused");
    assert_eq!(stage.count("versions"), 2);
}

#[shared_testing::test]
async fn a_stale_plan_is_applied_by_following_the_errors() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let mine = samples::plan(&ada, &id, "mine").await;
    let theirs = samples::plan(&ada, &id, "theirs").await;
    samples::apply(&ada, &theirs).await.await.status(200);
    let mut arguments = json!({
        "file_id": id, "plan_id": mine["id"], "if_match": mine["base_etag"], "idempotency_key": "k0",
    });
    for attempt in 1..6 {
        let result = call(&client, "apply_plan", arguments.clone()).await;
        let body = structured(&result);
        if result.is_error != Some(true) {
            let document = ada.get(format!("/v1/documents/{id}")).await.status(200);
            assert_eq!(document["content"]["blocks"].as_array().map(Vec::len), Some(3));
            return;
        }
        let next = &body["next_tool"];
        let mut said = next["arguments"].clone();
        let came = match next["name"].text() {
            "rebase_plan" => {
                said["idempotency_key"] = json!(format!("r{attempt}"));
                done(&client, "rebase_plan", said).await["plan"].clone()
            }
            read => json!({"id": arguments["plan_id"], "base_etag": done(&client, read, said).await["file"]["etag"]}),
        };
        arguments["plan_id"] = came["id"].clone();
        arguments["if_match"] = came["base_etag"].clone();
        arguments["idempotency_key"] = json!(format!("k{attempt}"));
    }
    panic!("no end");
}

/// No answer is longer than a client accepts, and the pages lose nothing.
#[shared_testing::test]
async fn a_long_document_is_read_page_by_page() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let text = "Grüße aus <Ämtern> & \"Büros\". ".repeat(110);
    let blocks: Vec<_> = (0..200)
        .map(|n| json!({"id": format!("b{n}"), "type": "paragraph", "segments": [{"text": format!("{n} {}", &text[..3_700])}]}))
        .collect();
    let id =
        samples::id(&ada.post("/v1/documents").fresh_key().json(samples::with_blocks(json!(blocks))).await.status(200));
    for view in ["blocks", "markdown"] {
        let (mut pages, mut cursor, mut joined) = (0, Value::Null, Vec::new());
        loop {
            let mut arguments = json!({"file_id": id, "view": view});
            if !cursor.is_null() {
                arguments["cursor"] = cursor;
            }
            let result = call(&client, "read_file", arguments).await;
            let bytes = serde_json::to_vec(&result).expect("JSON").len();
            assert!(bytes <= 48_000, "{bytes}");
            let body = structured(&result);
            match view {
                "blocks" => joined.extend(body["content"]["blocks"].as_array().expect("blocks").clone()),
                _ => joined.push(body["markdown"].clone()),
            }
            pages += 1;
            cursor = body["next_cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert!(pages > 15, "{pages}");
        let whole = ada.get(format!("/v1/documents/{id}?view={view}")).await.status(200);
        match view {
            "blocks" => assert_eq!(json!(joined), whole["content"]["blocks"]),
            _ => assert_eq!(joined.iter().map(|part| part.text()).collect::<String>(), whole["markdown"].text()),
        }
    }
}
