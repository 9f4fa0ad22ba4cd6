//! Who wrote which part of a file, and who approved it.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Response, Stage, Text as _};

use crate::samples::{self, apply, propose, step};

fn agent(stage: &Stage) -> Caller {
    let actor = json!({"type": "agent", "id": "agent-7", "display_name": "Agent"});
    stage.caller("agent").claim("actor", actor)
}

async fn authorship(caller: &Caller, id: &str, query: &str) -> Response {
    caller.get(format!("/v1/files/{id}/authorship{query}")).await.status(200)
}

/// The places, versions and authors.
fn runs(answer: &Response) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("unknown").to_owned();
    let items = answer["items"].as_array().expect("items").iter();
    items.map(|run| (text(&run["where"]), text(&run["version_id"]), text(&run["author"]["id"]))).collect()
}

fn run(place: &str, version: &str, author: &str) -> (String, String, String) {
    (place.to_owned(), version.to_owned(), author.to_owned())
}

async fn edited(caller: &Caller, id: &str, operations: Value) {
    let plan = propose(caller, id, operations).await.await.status(200)["plan"].clone();
    apply(caller, &plan).await.await.status(200);
}

async fn create(caller: &Caller, collection: &str, content: Value) -> String {
    let body = json!({"name": "Plan", "content": content});
    samples::id(&caller.post(format!("/v1/{collection}")).fresh_key().json(body).await.status(200))
}

#[shared_testing::test]
async fn a_block_is_by_the_author_of_its_plan_and_not_by_who_applied_it() {
    let stage = Stage::of(service()).await;
    let (ada, bob, agent) = (stage.caller("ada"), stage.caller("bob"), agent(&stage));
    let id = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
    assert_eq!(runs(&authorship(&ada, &id, "").await), [run("b0:b2", "ver_1", "ada")]);

    let block = json!({"type": "paragraph", "segments": [{"text": "TWO"}]});
    let operations = json!([{"op": "replace_block", "block_id": "b1", "block": block}]);
    let plan = propose(&agent, &id, operations).await.await.status(200)["plan"].clone();
    step(&agent, &plan, "request-review", json!({})).await.status(200);
    step(&bob, &plan, "approve", json!({})).await.status(200);
    apply(&ada, &plan).await.await.status(200);
    // The plan is deleted after a while, and what it stands for is not.
    samples::sql(&stage, "DELETE FROM edit_plans").await;

    let answer = authorship(&bob, &id, "").await;
    assert_eq!(runs(&answer), [run("b0", "ver_1", "ada"), run("b1", "ver_2", "agent-7"), run("b2", "ver_1", "ada")]);
    let written = &answer["items"][1];
    assert_eq!((&written["approved_by"]["id"], &written["plan_id"]), (&json!("bob"), &plan["id"]));
    assert_eq!((&answer["version_id"], &answer["content_is_untrusted"]), (&json!("ver_2"), &json!(true)));
    assert_eq!(answer["items"][0]["approved_by"], Value::Null);
    assert_eq!(runs(&authorship(&bob, &id, "?version=ver_1").await), [run("b0:b2", "ver_1", "ada")]);
}

#[shared_testing::test]
async fn moved_blocks_and_restored_blocks_keep_their_author() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
    edited(&bob, &id, json!([{"op": "move_block", "block_id": "b2", "after_id": null}])).await;
    assert_eq!(runs(&authorship(&ada, &id, "").await), [run("b2:b1", "ver_1", "ada")]);
    edited(&bob, &id, json!([{"op": "delete_block", "block_id": "b0"}])).await;
    samples::command(&bob, &id, "versions/ver_1/restore", json!({})).await.await.status(200);
    assert_eq!(runs(&authorship(&ada, &id, "").await), [run("b0:b2", "ver_1", "ada")]);
    // On top of the restored version.
    edited(&bob, &id, json!([{"op": "delete_block", "block_id": "b1"}])).await;
    assert_eq!(runs(&authorship(&ada, &id, "").await), [run("b0:b2", "ver_1", "ada")]);
}

#[shared_testing::test]
async fn cells_keep_their_author_when_rows_move_and_formulas_follow() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let cells = json!([["Rent", "900"], ["Food", "250"], ["Sum", "=SUM(B1:B2)"]]);
    let content = json!({"kind": "sheets", "sheets": [{"name": "Budget", "cells": cells}]});
    let id = create(&ada, "spreadsheets", content).await;
    let operations = json!([
        {"op": "insert_rows", "sheet": "Budget", "row": 1, "count": 1},
        {"op": "set_cells", "sheet": "Budget", "range": "B3", "values": [["260"]]},
    ]);
    edited(&bob, &id, operations).await;
    let expected = [
        run("Budget!A1:B1", "ver_2", "bob"),
        run("Budget!A2:B2", "ver_1", "ada"),
        run("Budget!A3", "ver_1", "ada"),
        run("Budget!B3", "ver_2", "bob"),
        run("Budget!A4:B4", "ver_1", "ada"),
    ];
    let answer = authorship(&ada, &id, "").await;
    assert_eq!(runs(&answer), expected);
    // Page by page, with a cursor of this version only.
    let first = authorship(&ada, &id, "?limit=3").await;
    assert_eq!((runs(&first).as_slice(), &first["has_more"]), (&expected[..3], &json!(true)));
    let cursor = first["next_cursor"].text();
    let next = authorship(&ada, &id, &format!("?limit=3&cursor={cursor}")).await;
    assert_eq!((runs(&next).as_slice(), &next["next_cursor"]), (&expected[3..], &Value::Null));
    let other = ada.get(format!("/v1/files/{id}/authorship?version=ver_1&cursor={cursor}")).await;
    other.refused(400, "invalid_cursor");
}

#[shared_testing::test]
async fn lines_of_notes_and_elements_of_slides_have_authors() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let note = create(&ada, "notes", json!({"title": "List", "content": "- bread\n- milk"})).await;
    edited(&bob, &note, json!([{"op": "set_content", "content": "# Shop\n- bread\n- milk\n- tea"}])).await;
    let expected = [
        run("title", "ver_1", "ada"),
        run("content!1", "ver_2", "bob"),
        run("content!2:3", "ver_1", "ada"),
        run("content!4", "ver_2", "bob"),
    ];
    assert_eq!(runs(&authorship(&ada, &note, "").await), expected);

    let element = |id: &str| {
        json!({"id": id, "type": "text", "x": 0, "y": 0, "w": 9, "h": 9, "rotation": 0, "text": id, "fill": "#ffffff",
            "color": "#000000", "fontSize": 12, "align": "left", "weight": 400})
    };
    let slide = json!({"id": "s", "name": "One", "background": "#ffffff", "elements": [element("e")], "notes": ""});
    let slides = create(&ada, "presentations", json!({"slides": [slide]})).await;
    let insert = json!([{"op": "insert_element", "slide_id": "s", "element": element("f")}]);
    edited(&bob, &slides, insert).await;
    assert_eq!(runs(&authorship(&ada, &slides, "").await), [run("s:e", "ver_3", "ada"), run("f", "ver_4", "bob")]);
}

#[shared_testing::test]
async fn nothing_is_made_up_about_versions_from_before_authors_were_kept() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    samples::apply(&bob, &samples::plan(&bob, &id, "two").await).await.await.status(200);
    samples::sql(&stage, "UPDATE versions SET authorship = NULL, edited_by = NULL").await;
    let answer = authorship(&ada, &id, "").await;
    let known = &answer["items"].as_array().expect("items")[0];
    let members = ["version_id", "author", "approved_by", "at", "plan_id"];
    assert!(members.iter().all(|member| known[member].is_null()), "{known}");
    // A first version is its author's, whenever it was written.
    assert_eq!(runs(&authorship(&ada, &id, "?version=ver_1").await), [run("b0", "ver_1", "ada")]);

    let plan = samples::plan(&bob, &id, "three").await;
    apply(&bob, &plan).await.await.status(200);
    let later = runs(&authorship(&ada, &id, "").await);
    assert_eq!(
        later.iter().map(|(_, version, author)| (version.as_str(), author.as_str())).collect::<Vec<_>>(),
        [("unknown", "unknown"), ("ver_3", "bob")]
    );
}

#[shared_testing::test]
async fn a_copy_and_a_promoted_draft_are_by_who_made_them() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let copy = samples::id(&samples::command(&bob, &id, "copy", json!({})).await.await.status(200));
    assert_eq!(runs(&authorship(&ada, &copy, "").await), [run("b0:b1", "ver_2", "bob")]);

    let block = |id: &str, text: &str| json!({"id": id, "type": "paragraph", "segments": [{"text": text}]});
    let content = json!({"kind": "docs", "blocks": [block("b0", "one"), block("b1", "TWO")]});
    let draft = json!({"type": "document", "name": "Draft", "content": content});
    let draft = bob.post("/v1/scratch").fresh_key().json(draft).await.status(200)["draft"]["id"].text().to_owned();
    let promote = bob.post(format!("/v1/scratch/{draft}/promote")).fresh_key();
    let promote = promote.header("if-match", samples::etag(&bob, &id).await).json(json!({"file_id": id}));
    promote.await.status(200);
    assert_eq!(runs(&authorship(&ada, &id, "").await), [run("b0", "ver_1", "ada"), run("b1", "ver_3", "bob")]);
}

#[shared_testing::test]
async fn folders_and_purged_files_have_no_authorship() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let folder = samples::folder(&ada, "Folder", None).await;
    let refused = ada.get(format!("/v1/files/{folder}/authorship")).await.refused(404, "not_found");
    assert_eq!(ada.get(refused.leads_to("refresh")).await.status(200)["file"]["id"], folder);
    let (one, two) = (samples::create(&ada, "One").await, samples::create(&ada, "Two").await);
    let id = samples::id(&one);
    let foreign = two["file"]["current_version_id"].text();
    let refused = ada.get(format!("/v1/files/{id}/authorship?version={foreign}")).await.refused(404, "not_found");
    refused.problems_at(&["version"]);
    ada.get(format!("/v1/files/{id}/authorship?version=x")).await.refused(422, "invalid_field");
    samples::command(&ada, &id, "trash", json!({})).await.await.status(200);
    authorship(&ada, &id, "").await;
    samples::command(&ada, &id, "purge", json!({})).await.await.status(200);
    ada.get(format!("/v1/files/{id}/authorship")).await.refused(404, "not_found");
    assert_eq!(samples::number(&stage, "SELECT COUNT(*) AS number FROM versions").await, 1);
}
