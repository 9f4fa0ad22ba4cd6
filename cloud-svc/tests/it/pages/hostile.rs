//! Hostile text in files, comments and plans does no harm on pages.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _, html};

use crate::samples;

/// Markup, ends of elements and attributes, right-to-left text, a very long word.
const HOSTILE: &str = "\"><script>alert(1)</script><svg onload=alert(1)><img src=x onerror=alert(1)>' onclick='x </title></main>\u{202e}txt.exe\u{2066} [x](javascript:alert(1)) <a href=javascript:1>z</a> &lt;script&gt; {{7*7}}";

fn element() -> Value {
    let text = format!("{HOSTILE}{}", "x".repeat(5_000));
    json!({
        "type": "shape", "x": 0, "y": 0, "w": 100, "h": 2, "rotation": -180, "text": text, "fill": "#ffffff",
        "color": "#1a2b3c", "fontSize": 8, "align": "right", "weight": 400
    })
}

async fn create(caller: &Caller, collection: &str, content: Value) -> String {
    // Names may not have slashes or characters that change the direction of text.
    let name: String = HOSTILE.chars().filter(|c| !"/\u{202e}\u{2066}".contains(*c)).take(150).collect();
    let body = json!({"name": name, "content": content});
    samples::id(&caller.post(format!("/v1/{collection}")).fresh_key().json(body).await.status(200))
}

async fn is_harmless(stage: &Stage, caller: &Caller, path: &str) -> String {
    let page = stage.browser(caller).get(path).await.status(200).body();
    html::assert_harmless(&page);
    assert!(page.contains("&lt;script&gt;alert(1)"), "it is shown, as text: {page}");
    page
}

#[shared_testing::test]
async fn every_kind_of_content_is_harmless() {
    let stage = Stage::of(service()).await;
    let actor = json!({"type": "user", "id": "mallory", "display_name": "<script>alert(1)</script>"});
    let mallory = stage.caller("mallory").claim("actor", actor);
    let long = "y".repeat(9_000);
    let segments = json!([{"text": HOSTILE, "bold": true}, {"text": long, "link": "https://evil.example/\"><script>"}]);
    let blocks: Vec<Value> = ["paragraph", "heading1", "heading2", "bullet", "number", "quote"]
        .iter()
        .map(|kind| json!({"id": kind, "type": kind, "segments": segments}))
        .chain([json!({"id": "t", "type": "table", "segments": [], "rows": [[segments, [{"text": HOSTILE}]]]})])
        .collect();
    let annotations = json!([{"block": 0, "text": HOSTILE}]);
    let document =
        create(&mallory, "documents", json!({"kind": "docs", "blocks": blocks, "annotations": annotations})).await;
    for anchor in [json!({}), json!({"block_id": "quote"})] {
        let body = json!({"text": HOSTILE, "anchor": anchor});
        mallory.post(format!("/v1/files/{document}/comments")).fresh_key().json(body).await.status(200);
    }
    let sheets = json!([{"name": "<script>alert(1)</script>", "cells": [[HOSTILE, format!("={}", "1"), long]]}]);
    let note = json!({"title": "<script>alert(1)</script>", "content": format!("{HOSTILE}\n\n{long}\n\n<svg onload=x>\n\n[a](data:text/html,x)"), "tags": ["<script>"]});
    let name: String = HOSTILE.chars().take(90).collect();
    let page = json!({"name": name, "size": "square", "orientation": "portrait", "background": "#000000", "elements": [element()]});
    let slide = json!({"name": name, "background": "#000000", "elements": [element()], "notes": HOSTILE});
    let files = [
        document,
        create(&mallory, "spreadsheets", json!({"kind": "sheets", "sheets": sheets})).await,
        create(&mallory, "notes", note).await,
        create(&mallory, "publications", json!({"pages": [page]})).await,
        create(&mallory, "presentations", json!({"slides": [slide]})).await,
    ];
    for file in &files {
        let page = is_harmless(&stage, &mallory, &format!("/f/{file}")).await;
        assert!(page.contains("Check carefully:"), "characters that change the direction are reported: {page}");
    }
    is_harmless(&stage, &mallory, "/w").await;
    let found = stage.browser(&mallory).get("/w?q=%22%3E%3Cscript%3Ealert(1)").await.status(200).body();
    html::assert_harmless(&found);
    assert!(found.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)\""), "{found}");
}

#[shared_testing::test]
async fn every_part_of_a_plan_is_harmless() {
    let stage = Stage::of(service()).await;
    let mallory = stage.caller("mallory");
    let document = samples::id(&samples::document_of(&mallory, &["one", "two", "three"]).await);
    let block = json!({"id": "b0", "type": "paragraph", "segments": [{"text": HOSTILE, "link": "https://evil.example/<script>"}]});
    let operations = json!([
        {"op": "replace_block", "block_id": "b0", "block": block},
        {"op": "insert_block", "block": {"type": "heading1", "segments": [{"text": HOSTILE}]}},
        {"op": "delete_block", "block_id": "b1"},
    ]);
    let sheet = json!({"name": "Book", "content": {"kind": "sheets", "sheets": [{"name": "S", "cells": [["a"]]}]}});
    let sheet = samples::id(&mallory.post("/v1/spreadsheets").fresh_key().json(sheet).await.status(200));
    let cells = json!([
        {"op": "set_cells", "sheet": "S", "range": "A1:B1", "values": [[HOSTILE, HOSTILE]]},
        {"op": "add_sheet", "name": "<script>alert(1)</script>", "cells": [[HOSTILE]]},
    ]);
    let note = json!({"name": "Note", "content": {"title": "t", "content": "c"}});
    let note = samples::id(&mallory.post("/v1/notes").fresh_key().json(note).await.status(200));
    let text =
        json!([{"op": "set_content", "content": HOSTILE}, {"op": "set_title", "title": "<script>alert(1)</script>"}]);
    for (file, operations) in [(document, operations), (sheet, cells), (note, text)] {
        let plan = samples::propose(&mallory, &file, operations).await.await.status(200)["plan"].clone();
        samples::step(&mallory, &plan, "request-review", json!({"note": HOSTILE})).await.status(200);
        let path = format!("/f/{file}/plans/{}", plan["id"].text());
        is_harmless(&stage, &mallory, &path).await;
        let reviewer = stage.caller("bob");
        samples::step(&reviewer, &plan, "reject", json!({"reason": HOSTILE})).await.status(200);
        is_harmless(&stage, &reviewer, &path).await;
    }
}
