//! Views of content: outlines, Markdown and blocks, page by page, of one version; and the warnings about content.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text};

use crate::samples::{self, propose};

async fn created(caller: &Caller, collection: &str, content: Value) -> String {
    let body = json!({"name": "Plan", "content": content});
    samples::id(&caller.post(format!("/v1/{collection}")).fresh_key().json(body).await.status(200))
}

fn minutes() -> Value {
    let text = |kind: &str, id: &str, text: &str| json!({"id": id, "type": kind, "segments": [{"text": text}]});
    json!({"kind": "docs", "blocks": [
        text("heading1", "title", "Minutes"), text("paragraph", "who", "All of us."),
        text("heading2", "next", "Next"), text("bullet", "a", "Write."), text("bullet", "b", "Read."),
    ]})
}

#[shared_testing::test]
async fn an_outline_leads_to_the_blocks_of_a_document() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = created(&ada, "documents", minutes()).await;
    let view = async |query: &str| ada.get(format!("/v1/documents/{id}?{query}")).await.status(200);
    let outline = view("view=outline").await;
    let entries: Vec<_> =
        outline["outline"].as_array().expect("entries").iter().map(|e| e["block_id"].text()).collect();
    assert_eq!(entries, ["title", "next"]);
    assert_eq!((&outline["version_id"], &outline["next_cursor"]), (&json!("ver_1"), &Value::Null));
    assert_eq!(outline["content"], Value::Null);
    let markdown = view("view=markdown").await;
    assert!(markdown["markdown"].text().starts_with("# Minutes\n\nAll of us"), "{markdown}");
    let blocks = view("view=blocks&block_ids=b,who").await;
    assert_eq!(blocks["content"]["blocks"].as_array().map(Vec::len), Some(2));
    assert_eq!(blocks["content"]["blocks"][0]["id"], "who", "in the order of the document");
    assert_eq!(view("view=full").await["content"], view("").await["content"]);
    let missing = ada.get(format!("/v1/documents/{id}?view=blocks&block_ids=who,x,y")).await;
    missing.refused(422, "block_not_found").problems_at(&["block_ids", "block_ids"]);
}

#[shared_testing::test]
async fn all_pages_show_the_version_of_the_first() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let texts: Vec<String> = (0..40).map(|number| format!("Line {number}. {}", "text ".repeat(20))).collect();
    let id = samples::id(&samples::document_of(&ada, &texts.iter().map(String::as_str).collect::<Vec<_>>()).await);
    for view in ["markdown", "blocks", "outline"] {
        let path = format!("/v1/documents/{id}?view={view}");
        let whole = ada.get(&path).await.status(200);
        let (mut page, mut pages) = (ada.get(format!("{path}&max_bytes=1000")).await.status(200), Vec::new());
        let edit =
            json!([{"op": "replace_text", "block_id": "b0", "find": "text", "replace": view, "expected_count": 20}]);
        if view == "markdown" {
            let plan = propose(&ada, &id, edit).await.await.status(200)["plan"].clone();
            samples::apply(&ada, &plan).await.await.status(200);
        }
        loop {
            assert_eq!(page["version_id"], whole["version_id"]);
            assert_eq!(page.has_header("etag"), page["version_id"] == page["file"]["current_version_id"]);
            assert!(page.body().len() < 2500, "{}", page.body().len());
            pages.push(page.json().clone());
            let Value::String(cursor) = &page["next_cursor"] else { break };
            let of_another = format!("{path}&cursor={cursor}&version_id=ver_999");
            ada.get(of_another).await.refused(400, "invalid_cursor");
            page = ada.get(format!("{path}&max_bytes=1000&cursor={cursor}")).await.status(200);
        }
        match view {
            "markdown" => {
                let joined: String = pages.iter().map(|page| page["markdown"].text()).collect();
                assert_eq!(joined, whole["markdown"].text());
            }
            "blocks" => {
                let joined: Vec<_> =
                    pages.iter().flat_map(|page| page["content"]["blocks"].as_array()).flatten().collect();
                assert_eq!(json!(joined), whole["content"]["blocks"]);
            }
            _ => assert_eq!(pages.len(), 1),
        }
    }
    let page = ada.get(format!("/v1/documents/{id}?view=blocks&max_bytes=1000")).await.status(200);
    let cursor = page["next_cursor"].text();
    ada.get(format!("/v1/documents/{id}?view=markdown&cursor={cursor}")).await.refused(400, "invalid_cursor");
    for query in ["max_bytes=1000", &format!("cursor={cursor}"), "block_ids=b0", "view=blocks&block_ids=,", "view=all"]
    {
        ada.get(format!("/v1/documents/{id}?{query}")).await.refused(422, "invalid_field");
    }
}

#[shared_testing::test]
async fn every_kind_is_read_by_version_and_by_its_views() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for (collection, view, expected) in
        [("notes", "markdown", "# Plan"), ("publications", "markdown", ""), ("presentations", "markdown", "")]
    {
        let body = json!({"name": "Plan"});
        let id = samples::id(&ada.post(format!("/v1/{collection}")).fresh_key().json(body).await.status(200));
        let read = ada.get(format!("/v1/{collection}/{id}?view={view}")).await.status(200);
        assert!(read["markdown"].text().starts_with(expected), "{read}");
        assert!(ada.get(format!("/v1/{collection}/{id}?view=outline")).await.status(200)["outline"].is_array());
        ada.get(format!("/v1/{collection}/{id}?view=blocks")).await.refused(422, "invalid_field");
    }
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let first = ada.get(format!("/v1/documents/{id}")).await.status(200);
    samples::apply(&ada, &samples::plan(&ada, &id, "two").await).await.await.status(200);
    let version = first["file"]["current_version_id"].text();
    let earlier = ada.get(format!("/v1/documents/{id}?version_id={version}")).await.status(200);
    assert_eq!((&earlier["content"], earlier["version_id"].text()), (&first["content"], version));
    assert_ne!(earlier["file"]["current_version_id"], version);
    // With the tag of the file, an edit could replace what this reader has not seen.
    assert!(first.has_header("etag") && !earlier.has_header("etag"));
    ada.get(format!("/v1/documents/{id}?version_id=ver_999")).await.refused(404, "not_found");
    ada.get(format!("/v1/documents/{id}?version_id=1")).await.refused(422, "invalid_field");
}

#[shared_testing::test]
async fn readers_and_reviewers_are_warned_of_hidden_content() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["Plain."]).await);
    assert_eq!(ada.get(format!("/v1/documents/{id}")).await.status(200)["content_warnings"], Value::Null);
    let hidden = json!({"id": "h", "type": "paragraph", "segments": [
        {"text": "Pay\u{202e}lla\u{e0041}"}, {"text": "https://bank.example/", "link": "https://evil.example/"},
    ]});
    let insert = json!([{"op": "insert_block", "block": hidden}]);
    let plan = propose(&ada, &id, insert).await.await.status(200)["plan"].clone();
    let warnings = plan["warnings"].as_array().expect("warnings");
    let reported = |code: &str| warnings.iter().find(|warning| warning["code"] == code).expect("a warning").clone();
    assert_eq!(reported("hidden_characters_added")["where"], "h");
    let link = reported("link_added");
    assert_eq!((link["detail"].text(), link["severity"].text()), ("evil.example", "high"));
    samples::apply(&ada, &plan).await.await.status(200);
    let read = ada.get(format!("/v1/documents/{id}")).await.status(200);
    let codes: Vec<_> =
        read["content_warnings"].as_array().expect("warnings").iter().map(|w| w["code"].text()).collect();
    assert_eq!(codes, ["tag_characters", "bidi_control", "hidden_link_text"]);
    let version = read["file"]["current_version_id"].text();
    let version = ada.get(format!("/v1/files/{id}/versions/{version}")).await.status(200);
    assert_eq!(version["content_warnings"], read["content_warnings"]);
    let cells = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["a\u{202e}b"], ["c"]]}]});
    let sheet = created(&ada, "spreadsheets", cells).await;
    let range = async |range: &str| {
        let read = ada.get(format!("/v1/spreadsheets/{sheet}/range?sheet=S&range={range}")).await.status(200);
        read["content_warnings"][0]["block_id"].clone()
    };
    assert_eq!((range("A1:A2").await, range("A2").await), (json!("S!A1"), Value::Null));
    let other = samples::id(&samples::document_of(&ada, &["Other."]).await);
    let link = json!({"type": "paragraph", "segments": [{"text": "there", "link": "https://evil.example/x"}]});
    let again = propose(&ada, &other, json!([{"op": "insert_block", "block": link}])).await.await.status(200);
    assert_eq!(again["plan"]["warnings"][0]["severity"], "low", "the workspace links there already");
    samples::sql(&stage, "UPDATE versions SET content_warnings = NULL").await;
    let looked = ada.get(format!("/v1/documents/{id}")).await.status(200);
    assert_eq!(
        looked["content_warnings"], read["content_warnings"],
        "versions of before are looked at when they are read"
    );
}

#[shared_testing::test]
async fn a_missing_version_is_refused_as_such() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let missing = ada.get(format!("/v1/documents/{id}?version_id=ver_999")).await.refused(404, "not_found");
    missing.problems_at(&["version_id"]);
    let sheet = ada.post("/v1/spreadsheets").fresh_key().json(json!({"name": "B"})).await.status(200);
    let path = format!("/v1/spreadsheets/{}?view=outline", samples::id(&sheet));
    ada.get(path).await.refused(400, "invalid_request").problems_at(&["view"]);
}
