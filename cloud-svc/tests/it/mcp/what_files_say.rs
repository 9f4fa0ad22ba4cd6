//! What files say, in a form that an agent can send back.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage};

use super::{said, texts::named};
use crate::{samples, uploads};

/// What stands within the block of a result.
fn quoted(text: &str) -> &str {
    let (_, block) = text.split_once("\">\n").unwrap_or_else(|| panic!("no block in {text}"));
    block.split_once("\n</untrusted>").expect("its end").0
}

fn cursor(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("cursor: "))
}

async fn note(caller: &Caller, content: Value) -> String {
    let body = json!({"name": "RT", "content": content});
    samples::id(&caller.post("/v1/notes").fresh_key().json(body).await.status(200))
}

#[shared_testing::test]
async fn the_title_and_the_tags_of_a_note_are_not_its_content() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let members = json!({"title": "RT", "content": "body", "tags": ["a", "b"], "pinned": true});
    let short = note(&ada, members).await;
    let read = said(&ada, "read_file", json!({"file_id": short})).await;
    assert_eq!(quoted(&read), "title: RT\ntags: a, b\npinned: true\n\nbody");

    let content: String = (0..3_000).map(|line| format!("Line {line}\n")).collect();
    let long = note(&ada, json!({"title": "Log", "content": content})).await;
    let first = said(&ada, "read_file", json!({"file_id": long})).await;
    assert!(quoted(&first).starts_with("title: Log\n\nLine 0\nLine 1\n"), "{}", &quoted(&first)[..80]);
    let second = json!({"file_id": long, "cursor": cursor(&first).expect("a cursor")});
    let second = said(&ada, "read_file", second).await;
    assert!(quoted(&second).starts_with("Line "), "{}", &quoted(&second)[..80]);
}

#[shared_testing::test]
async fn a_change_of_a_long_note_is_shown_with_the_lines_around_it() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let content: String = (0..3_000).map(|line| format!("Line {line} of the log\n")).collect();
    let id = note(&ada, json!({"title": "Log", "content": content})).await;
    let operations = json!([{"op": "replace_text", "find": "Line 1500 of", "replace": "Line fifteen of"}]);
    let edit = json!({"file_id": id, "if_match": samples::etag(&ada, &id).await, "operations": operations});
    let proposed = said(&ada, "edit_note", edit).await;
    let (_, plan) = named(&proposed, "Next:");
    let got = said(&ada, "get_plan", json!({"file_id": id, "plan_id": plan["plan_id"]})).await;
    for shown in [proposed, got] {
        let change = "    Line 1499 of the log\n  - Line 1500 of the log\n  + Line fifteen of the log\n    Line 1501";
        assert!(shown.contains(change) && !shown.contains("Line 1400"), "{shown}");
        assert!(!shown.contains("omitted_bytes"), "{shown}");
    }
}

#[shared_testing::test]
async fn the_text_of_an_upload_is_read_in_pages() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let text = "Grüße.".repeat(4_000);
    let id = uploads::named(&ada, "Words.md", text.as_bytes()).await;
    let (mut arguments, mut whole, mut pages) = (json!({"file_id": id}), String::new(), 0);
    loop {
        let page = said(&ada, "read_file", arguments.clone()).await;
        assert!(page.contains("To edit it, make a native copy: copy_file {"), "{page}");
        whole.push_str(quoted(&page));
        pages += 1;
        let Some(next) = cursor(&page) else { break };
        arguments["cursor"] = json!(next);
    }
    assert_eq!((pages, whole == text), (2, true));
    let wrong = said(&ada, "read_file", json!({"file_id": id, "cursor": "zz"})).await;
    assert!(wrong.contains("cursor must be a cursor of this file"), "{wrong}");

    let binary = uploads::named(&ada, "Budget.xlsx", b"PK\x03\x04\x00\xff").await;
    let record = said(&ada, "read_file", json!({"file_id": binary})).await;
    assert_eq!(named(&record, "Next:"), ("copy_file".to_owned(), json!({"file_id": binary, "convert": true})));
    let picture = uploads::named(&ada, "a.png", b"\x89PNG\r\n\x1a\n").await;
    let record = said(&ada, "read_file", json!({"file_id": picture})).await;
    assert!(record.contains("name: a.png") && !record.contains("Next:"), "{record}");
}

#[shared_testing::test]
async fn whole_columns_are_refused_with_a_range_that_works() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let content = json!({"kind": "sheets", "sheets": [{"name": "One", "cells": [["a", "b"]]}]});
    let created = ada.post("/v1/spreadsheets").fresh_key().json(json!({"name": "Book", "content": content})).await;
    let id = samples::id(&created.status(200));
    for range in ["One!B:B", "One!1:2"] {
        let refused = said(&ada, "read_file", json!({"file_id": id, "range": range})).await;
        assert!(refused.contains("/range must be cells such as B1:B20."), "{refused}");
    }
    assert!(said(&ada, "read_file", json!({"file_id": id, "range": "One!A1:B1"})).await.contains("One!A1:B1"));
}
