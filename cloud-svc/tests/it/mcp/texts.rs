//! What a model reads: short, and enough to go on with.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Stage, Text as _};

use super::{call, client, done, said, text};
use crate::samples;

/// The call that a line of a result names.
pub fn named(text: &str, label: &str) -> (String, Value) {
    let line = text.lines().find_map(|line| line.strip_prefix(label)).unwrap_or_else(|| panic!("no {label} in {text}"));
    let (tool, arguments) = line.trim().split_once(' ').expect("a tool and its arguments");
    (tool.to_owned(), serde_json::from_str(arguments).expect("JSON"))
}

#[shared_testing::test]
async fn an_edit_is_made_and_undone_by_following_the_text_alone() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let minutes = json!({"type": "document", "name": "Minutes", "text": "# Minutes\n\nAgreed."});
    let created = text(&call(&client, "create_file", minutes).await);
    let mut lines = created.lines();
    let id = lines.next().expect("a line").strip_prefix("document ").expect("an id").to_owned();
    let etag = lines.next().expect("a line").strip_prefix("if_match: ").expect("a tag").to_owned();
    let read = text(&call(&client, "read_file", json!({"file_id": id})).await);
    let block = read.lines().find_map(|line| line.strip_prefix('[')?.split_once("] Agreed.")).expect("a block").0;
    let operations = json!([{"op": "replace_markdown", "block_id": block, "markdown": "**Not** agreed.\n\n- Yet"}]);
    let edit = json!({"file_id": id, "if_match": etag, "operations": operations});
    let proposed = text(&call(&client, "edit_document", edit).await);
    assert!(proposed.contains(": inserted 1, replaced 1"), "{proposed}");
    assert!(proposed.contains("**Not** agreed.") && proposed.contains("- Yet"), "{proposed}");
    let (tool, apply) = named(&proposed, "Next:");
    let plan = json!({"file_id": id, "plan_id": apply["plan_id"]});
    let applied = text(&call(&client, &tool, apply).await);
    // The file is newer than the plan, but a rebase would help nobody.
    let ended = text(&call(&client, "get_plan", plan).await);
    assert!(ended.contains(" applied: ") && !ended.contains("stale"), "{ended}");
    let earlier = text(&call(&client, "read_file", json!({"file_id": id, "version_id": "ver_1"})).await);
    assert!(earlier.starts_with("This is ver_1, an earlier version.") && !earlier.contains("if_match"), "{earlier}");
    let (tool, undo) = named(&applied, "Undo:");
    assert_eq!(tool, "restore_version");
    let undone = call(&client, &tool, undo).await;
    assert_ne!(undone.is_error, Some(true), "{undone:?}");
    let document = ada.get(format!("/v1/documents/{id}?view=markdown")).await.status(200);
    assert_eq!(document["markdown"], "# Minutes\n\nAgreed.\n");
    assert_eq!(ada.get(format!("/v1/files/{id}/versions")).await["items"].as_array().map(Vec::len), Some(3));
}

#[shared_testing::test]
async fn a_refusal_says_what_is_wrong_and_shows_a_right_call() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let edit = json!({"file_id": id, "if_match": samples::etag(&ada, &id).await, "operations": [{"op": "insert"}]});
    let refused = text(&call(&client, "edit_document", edit).await);
    let words = ["refused invalid_field", "/operations/0/op", "insert_markdown", "Example: {\"file_id\""];
    assert!(words.iter().all(|word| refused.contains(word)), "{refused}");
    assert!(!refused.contains("<untrusted") && !refused.contains("request_id"), "{refused}");
    let stale = json!({"file_id": id, "action": "trash", "if_match": "0123456789abcdef"});
    let refused = text(&call(&client, "trash_or_restore", stale).await);
    assert!(refused.starts_with("refused etag_mismatch: "), "{refused}");
    let (tool, arguments) = named(&refused, "Next:");
    assert_eq!((tool.as_str(), arguments["file_id"].text()), ("read_file", id.as_str()));
}

#[shared_testing::test]
async fn the_usual_mistakes_lead_on() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let named_instead = text(&call(&client, "read_file", json!({"file_id": "Plan"})).await);
    assert_eq!(named(&named_instead, "Next:"), ("search_files".to_owned(), json!({"name_contains": "Plan"})));
    let etag = samples::etag(&ada, &id).await;
    let tags = json!({"file_id": id, "if_match": etag, "operations": [{"op": "set_tags", "tags": ["a"]}]});
    let wrong_type = text(&call(&client, "edit_note", tags).await);
    assert!(wrong_type.contains("has the type document, which edit_document edits"), "{wrong_type}");
    let edit = json!({"file_id": id, "if_match": "zz", "operations": [{"op": "delete_block", "block_id": "b0"}]});
    let no_tag = text(&call(&client, "edit_document", edit).await);
    assert!(no_tag.contains(": if_match must be the first 16 digits of an ETag"), "{no_tag}");
    let no_cells = text(&call(&client, "read_file", json!({"file_id": id, "range": "A1"})).await);
    assert!(no_cells.contains("range must be absent: the file is not a spreadsheet"), "{no_cells}");
    // What a client makes a model fill in.
    let filled = json!({"file_id": id, "version_id": "", "range": null, "sheet": "", "cursor": null});
    done(&client, "read_file", filled).await;
    let mine = samples::plan(&ada, &id, "mine").await;
    samples::apply(&ada, &samples::plan(&ada, &id, "theirs").await).await.await.status(200);
    let shown = text(&call(&client, "get_plan", json!({"file_id": id, "plan_id": mine["id"]})).await);
    let (tool, arguments) = named(&shown, "Next:");
    assert_eq!(tool, "rebase_plan");
    done(&client, &tool, arguments).await;
}

#[shared_testing::test]
async fn a_small_workbook_comes_whole_and_a_sheet_by_its_name() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let sheet = |name: &str, rows: usize| json!({"name": name, "cells": vec![json!(["a", "=1+1"]); rows]});
    let create = async |rows: usize| {
        let content = json!({"kind": "sheets", "sheets": [sheet("One", rows), sheet("Two", 1)]});
        let created = ada.post("/v1/spreadsheets").fresh_key().json(json!({"name": "Book", "content": content})).await;
        samples::id(&created.status(200))
    };
    let small = json!({"file_id": create(2).await});
    let whole = text(&call(&client, "read_file", small).await);
    assert!(whole.contains("One!A1:B2") && whole.contains("Two!A1:B1") && whole.contains("=1+1 → 2"), "{whole}");
    let large = create(600).await;
    let listed = text(&call(&client, "read_file", json!({"file_id": large})).await);
    assert!(listed.contains("One\t600\t2\t600"), "{listed}");
    let sheet = said(&ada, "read_file", json!({"file_id": large, "sheet": "one"})).await;
    assert!(sheet.contains("One!A1:B500") && !sheet.contains("Two"), "{sheet}");
    assert!(sheet.contains("Rows 1 to 500 of 600. Continue with the same sheet and range A501:B600."), "{sheet}");
    let rest = json!({"file_id": large, "sheet": "one", "range": "A501:B600"});
    let rest = said(&ada, "read_file", rest).await;
    assert!(rest.contains("\n600\ta\t=1+1 → 2"), "{rest}");
    samples::command(&ada, &large, "trash", json!({})).await.await.status(200);
    assert!(said(&ada, "read_file", json!({"file_id": large})).await.contains("It is in the trash."));
    let unknown = text(&call(&client, "read_file", json!({"file_id": large, "sheet": "Three"})).await);
    assert!(unknown.starts_with("refused ") && unknown.contains("must be the name of a sheet"), "{unknown}");
}

#[shared_testing::test]
async fn a_long_presentation_is_read_to_its_end() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let element = |slide: usize, number: usize| {
        let text = format!("{}end of {slide}", "word ".repeat(30));
        json!({
            "id": format!("s{slide}e{number}"), "type": "text", "x": 0, "y": 0, "w": 9, "h": 9, "rotation": 0, "text": text,
            "fill": "#ffffff", "color": "#000000", "fontSize": 24, "align": "left", "weight": 400,
        })
    };
    let slide = |slide: usize| {
        let elements: Vec<_> = (0..2).map(|number| element(slide, number)).collect();
        // With names this long, the outline has two pages, too.
        let name = format!("Slide {slide} {}", "n".repeat(100));
        json!({"id": format!("s{slide}"), "name": name, "background": "#ffffff", "elements": elements})
    };
    let content = json!({"slides": (0..60).map(slide).collect::<Vec<_>>()});
    let created = ada.post("/v1/presentations").fresh_key().json(json!({"name": "Deck", "content": content})).await;
    let id = samples::id(&created.status(200));
    for (view, last) in [(None, "Slide 59"), (Some("markdown"), "end of 59")] {
        let (mut arguments, mut pages) = (json!({"file_id": id}), 1);
        if let Some(view) = view {
            arguments["view"] = json!(view);
        }
        let mut page = said(&ada, "read_file", arguments.clone()).await;
        while let Some(cursor) = page.lines().find_map(|line| line.strip_prefix("cursor: ")) {
            arguments["cursor"] = json!(cursor);
            page = said(&ada, "read_file", arguments.clone()).await;
            pages += 1;
        }
        assert!(pages > 1 && page.contains(last), "{page}");
    }
}

#[shared_testing::test]
async fn what_is_written_is_found_with_its_place() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["The gravel path is closed."]).await);
    let note = json!({"title": "List", "content": "path", "tags": ["garden"]});
    let note = ada.post("/v1/notes").fresh_key().json(json!({"name": "List", "content": note})).await.status(200);
    let found = said(&ada, "search_content", json!({"text": "\"gravel path\""})).await;
    let row: Vec<_> = found.lines().nth(2).expect("a match").split('\t').collect();
    assert_eq!((row[0], row[4], row[5]), (id.as_str(), "b0", "The gravel path is closed."), "{found}");
    let tagged = said(&ada, "search_content", json!({"tag": "garden"})).await;
    assert!(tagged.lines().nth(2).expect("a match").starts_with(note["file"]["id"].text()), "{tagged}");
    assert_eq!(said(&ada, "search_content", json!({"text": "nowhere"})).await, "None.");
}

#[shared_testing::test]
async fn lists_are_a_line_for_each_item() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let etag = samples::etag(&ada, &id).await;
    let listed = text(&call(&client, "list_folder", json!({})).await);
    let row: Vec<_> = listed.lines().nth(2).expect("a file").split('\t').collect();
    assert_eq!((row[0], row[2], row[4]), (id.as_str(), &etag[1..17], "Plan"), "{listed}");
    assert_eq!(text(&call(&client, "list_plans", json!({})).await), "None.");
    // Who has the beginning of a tag has seen that state.
    done(&client, "move_or_rename", json!({"file_id": id, "if_match": row[2], "name": "Plan B"})).await;
}
