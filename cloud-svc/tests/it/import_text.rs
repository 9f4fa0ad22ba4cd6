//! Texts that become files, and inputs as people send them.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Response, Stage, Text as _};

use crate::samples::{self, propose};

fn import(ada: &Caller, body: Value) -> Request {
    ada.post("/v1/imports").fresh_key().json(body)
}

async fn read(ada: &Caller, file: &Value, view: &str) -> Value {
    ada.get(format!("/v1/{}s/{}{view}", file["type"].text(), file["id"].text())).await.status(200).json().clone()
}

#[shared_testing::test]
async fn each_format_becomes_a_file_of_its_type() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let folder = samples::folder(&ada, "Inbox", None).await;

    let markdown = "# Minutes\r\n\r\n- `agreed`\r\n  - all\r\n";
    let body = json!({"name": "Minutes", "format": "markdown", "text": markdown, "parent_id": folder});
    let made = import(&ada, body).await.status(200);
    let file = &made["file"];
    assert_eq!((&file["type"], &file["parent_id"]), (&json!("document"), &json!(folder)));
    assert_eq!(made.header("etag"), file["etag"].text());
    assert_eq!(made["content_is_untrusted"], true, "{made}");
    let codes: Vec<_> = made["import"]["warnings"].as_array().expect("warnings").iter().map(|w| &w["code"]).collect();
    assert_eq!(codes, ["nesting_flattened", "code_as_text"]);
    let text = read(&ada, file, "?view=markdown").await["markdown"].clone();
    assert_eq!(text, "# Minutes\n\n- agreed\n- all\n");

    let made = import(&ada, json!({"name": "Sums", "format": "csv", "text": "a,1\r\nb,=B1*2", "parent_id": "root"}));
    let made = made.await.status(200);
    assert_eq!(made["import"], json!({"warnings": []}));
    assert_eq!(made["file"]["parent_id"], Value::Null);
    let range = read(&ada, &made["file"], "/range?sheet=Sheet1&range=B2&computed=true").await;
    assert_eq!(range["range"]["rows"][0][0]["computed"], json!({"type": "number", "value": 2}), "{range}");

    let made = import(&ada, json!({"name": "List", "format": "text", "text": "bread\rmilk"})).await.status(200);
    let note = read(&ada, &made["file"], "").await;
    assert_eq!((&note["content"]["title"], &note["content"]["content"]), (&json!("List"), &json!("bread\nmilk")));
}

#[shared_testing::test]
async fn a_text_that_breaks_a_rule_is_refused_with_its_place() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for (format, text, rule) in [
        ("csv", "a,=VLOOKUP(A1;B1)".to_owned(), "B1 of sheet 1"),
        ("csv", "x\n".repeat(2001), "2000 rows"),
        ("markdown", "- a\n".repeat(201), "200 items"),
        ("text", "a\0".to_owned(), "control characters"),
        ("text", "a".repeat(500_001), "must be at most 500000 bytes in UTF-8, has 500001"),
    ] {
        let refused = import(&ada, json!({"name": "N", "format": format, "text": text})).await;
        let refused = refused.status(422);
        let problem = &refused["error"]["next_action"]["problems"][0];
        assert_eq!(problem["at"], "/text", "{problem}");
        assert!(problem["rule"].as_str().is_some_and(|text| text.contains(rule)), "{rule}: {problem}");
    }
    import(&ada, json!({"name": "N", "format": "html", "text": ""})).await.refused(422, "invalid_field");
    assert_eq!(ada.get("/v1/files").await.status(200)["items"], json!([]));
}

#[shared_testing::test]
async fn markdown_is_proposed_as_the_blocks_that_it_becomes() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let operations = json!([{"op": "insert_markdown", "markdown": "## Next\r\n\r\n1. *Ask*\r\n2. Print"}]);
    let plan = propose(&ada, &id, operations.clone()).await.await.status(200)["plan"].clone();
    let changes = plan["changes"].as_array().expect("changes");
    assert!(changes.iter().all(|change| change["op"] == 0 && change["kind"] == "insert"), "{changes:?}");
    let kinds: Vec<_> = changes.iter().map(|change| change["after"]["type"].text()).collect();
    assert_eq!(kinds, ["heading2", "number", "number"]);
    // The same proposal again joins the plan, and so its blocks.
    let again = propose(&ada, &id, operations).await.await.status(200)["plan"].clone();
    assert_eq!((&again["id"], &again["changes"]), (&plan["id"], &plan["changes"]));
    // Somebody else's edit: the rebased plan has the same blocks with the same ids.
    let other = samples::plan(&ada, &id, "More.").await;
    samples::apply(&ada, &other).await.await.status(200);
    let etag = samples::etag(&ada, &id).await;
    let rebased =
        samples::step(&ada, &plan, "rebase", json!({})).header("if-match", etag).await.status(200)["plan"].clone();
    let after = |plan: &Value| -> Vec<Value> {
        plan["changes"].as_array().expect("changes").iter().map(|change| change["after"].clone()).collect()
    };
    assert_eq!(after(&rebased), after(&plan));

    let blocks = json!([{"type": "divider", "segments": []}]);
    for markdown in [json!("- a\n".repeat(201)), blocks] {
        let operations = json!([{"op": "insert_markdown", "markdown": markdown}]);
        let refused = propose(&ada, &id, operations).await.await.refused(422, "invalid_field");
        refused.problems_at(&["/operations/0/markdown"]);
    }
}

#[shared_testing::test]
async fn names_may_have_the_joiners_that_words_and_emoji_need() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for name in ["می\u{200c}خواهم", "ශ්\u{200d}රී", "👩🏽\u{200d}💻 Team"] {
        let made = samples::create(&ada, name).await;
        let id = samples::id(&made);
        assert_eq!(made["file"]["name"], name);
        let found = ada.get(format!("/v1/search?name_contains={}", urlencoded(name))).await.status(200);
        assert_eq!(found["items"][0]["id"], json!(id), "{name}");
    }
    for name in ["a\u{200d}b", "می\u{200c}", "\u{202e}a", "👩\u{200d}", "a\u{200b}b", "1\u{e0031}"] {
        let body = json!({"name": name});
        ada.post("/v1/documents").fresh_key().json(body).await.refused(422, "invalid_field").problems_at(&["/name"]);
    }
}

fn urlencoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[shared_testing::test]
async fn root_is_the_top_in_bodies_as_in_queries() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let folder = samples::folder(&ada, "Inbox", None).await;
    let body = json!({"name": "Plan", "parent_id": folder});
    let id = samples::id(&ada.post("/v1/documents").fresh_key().json(body).await.status(200));
    let parent = |body: &Response| body["file"]["parent_id"].clone();
    let copy = ada.post(format!("/v1/files/{id}/copy")).fresh_key().json(json!({"parent_id": "root"}));
    assert_eq!(parent(&copy.await.status(200)), Value::Null);
    let moved = samples::command(&ada, &id, "move", json!({"parent_id": "root"})).await.await.status(200);
    assert_eq!(parent(&moved), Value::Null);
    samples::command(&ada, &id, "move", json!({"parent_id": folder})).await.await.status(200);
    samples::command(&ada, &id, "trash", json!({})).await.await.status(200);
    let restored = samples::command(&ada, &id, "restore", json!({"parent_id": "root"})).await.await.status(200);
    assert_eq!(parent(&restored), Value::Null);
    let made = ada.post("/v1/folders").fresh_key().json(json!({"name": "F", "parent_id": "root"})).await.status(200);
    assert_eq!(parent(&made), Value::Null);
    let wrong = ada.post("/v1/folders").fresh_key().json(json!({"name": "F", "parent_id": "top"})).await;
    let wrong = wrong.refused(422, "invalid_field");
    assert!(wrong["error"]["message"].as_str().is_some_and(|text| text.contains("like file_42, or root")));
}

#[shared_testing::test]
async fn line_ends_of_windows_become_line_feeds() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let note = json!({"name": "N", "content": {"title": "N", "content": "a\r\nb\rc"}});
    let id = samples::id(&ada.post("/v1/notes").fresh_key().json(note).await.status(200));
    let operations = json!([
        {"op": "replace_text", "find": "a\r\nb", "replace": "x\r\ny", "expected_count": 1},
        {"op": "append_markdown", "markdown": "## More\r\n\r\n- d"},
    ]);
    let plan = propose(&ada, &id, operations).await.await.status(200)["plan"].clone();
    assert_eq!(plan["changes"][1]["after"], "x\ny\nc\n\n## More\n\n- d");
    let comment = ada.post(format!("/v1/files/{id}/comments")).fresh_key().json(json!({"text": "one\r\ntwo"}));
    assert_eq!(comment.await.status(200)["comment"]["text"], "one\ntwo");
}

#[shared_testing::test]
async fn an_unknown_operation_is_told_those_of_its_file() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let body = json!({"name": "Sums"});
    let id = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200));
    let refused = propose(&ada, &id, json!([{"op": "set_cell"}])).await.await.refused(422, "invalid_field");
    let problem = &refused["error"]["next_action"]["problems"][0];
    assert_eq!(problem["at"], "/operations/0/op");
    let rule = problem["rule"].as_str().expect("a rule");
    assert!(rule.contains("set_cells, fill, clear_range"), "{rule}");
    assert!(!rule.contains("insert_block"), "{rule}");
}
