//! Protected parts: people set them, and agents change them only with the approval of a person.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Response, Stage, Text as _};

use crate::{
    agents::agent,
    mcp,
    samples::{self, apply, propose, step},
};

async fn protect(caller: &Caller, id: &str, places: Value) -> Response {
    let body = json!({"protected": places});
    caller.request("PUT", format!("/v1/files/{id}/protection")).fresh_key().json(body).await
}

async fn protected(caller: &Caller, id: &str) -> Value {
    caller.get(format!("/v1/files/{id}/details")).await.status(200)["details"]["protected"].clone()
}

async fn budget(caller: &Caller) -> String {
    let cells = json!([["Rent", "900"], ["Food", "250"], ["Sum", "=SUM(B1:B2)"]]);
    let content = json!({"kind": "sheets", "sheets": [{"name": "Budget", "cells": cells}]});
    let body = json!({"name": "Budget", "content": content});
    samples::id(&caller.post("/v1/spreadsheets").fresh_key().json(body).await.status(200))
}

fn warned(plan: &Value) -> Vec<(String, String)> {
    let warnings = plan["warnings"].as_array().expect("warnings").iter();
    let high = warnings.filter(|warning| warning["severity"] == "high");
    high.map(|warning| (warning["code"].text().to_owned(), warning["where"].text().to_owned())).collect()
}

fn warning(place: &str) -> (String, String) {
    ("protected_part".to_owned(), place.to_owned())
}

#[shared_testing::test]
async fn an_agent_changes_a_protected_cell_with_an_approval_only() {
    let stage = Stage::of(service()).await;
    let (ada, bob, robot) = (stage.caller("ada"), stage.caller("bob"), agent(&stage, "robot", 1).await);
    let id = budget(&ada).await;
    protect(&robot, &id, json!([{}])).await.refused(403, "person_required");
    protect(&ada, &id, json!([{"range": "Budget!B3"}, {"range": "Budget!Z9"}])).await.refused(422, "anchor_not_found");
    protect(&ada, &id, json!([{"range": "Budget!B3"}])).await.status(200);
    assert_eq!(protected(&robot, &id).await, json!([{"range": "Budget!B3"}]));

    // Beside the protected cell, and around it: its formula follows, and the place with it.
    let operations = json!([
        {"op": "insert_rows", "sheet": "Budget", "row": 2, "count": 1},
        {"op": "set_cells", "sheet": "Budget", "range": "A2:B2", "values": [["Tea", "12"]]},
    ]);
    let plan = propose(&robot, &id, operations).await.await.status(200)["plan"].clone();
    assert_eq!(warned(&plan).len(), 0);
    apply(&robot, &plan).await.await.status(200);
    assert_eq!(protected(&ada, &id).await, json!([{"range": "Budget!B4"}]));

    let set = json!([{"op": "set_cells", "sheet": "Budget", "range": "B4", "values": [["1000"]]}]);
    let plan = propose(&robot, &id, set.clone()).await.await.status(200)["plan"].clone();
    assert_eq!(warned(&plan), [warning("Budget!B4")]);
    apply(&robot, &plan).await.await.refused(403, "approval_required");
    step(&robot, &plan, "request-review", json!({})).await.status(200);
    step(&bob, &plan, "approve", json!({})).await.status(200);
    apply(&robot, &plan).await.await.status(200);

    // A person is warned, and not stopped.
    let delete = json!([{"op": "delete_rows", "sheet": "Budget", "row": 4, "count": 1}]);
    let plan = propose(&ada, &id, delete).await.await.status(200)["plan"].clone();
    assert_eq!(warned(&plan), [warning("Budget!B4")]);
    apply(&ada, &plan).await.await.status(200);
}

#[shared_testing::test]
async fn an_agent_writes_nothing_between_protected_cells_without_an_approval() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let id = budget(&ada).await;
    protect(&ada, &id, json!([{"range": "Budget!B1:B3"}])).await.status(200);
    let row = json!({"op": "insert_rows", "sheet": "Budget", "row": 2, "count": 1});
    let plan = propose(&robot, &id, json!([row])).await.await.status(200)["plan"].clone();
    assert_eq!(warned(&plan).len(), 0, "an empty row");
    let set = json!({"op": "set_cells", "sheet": "Budget", "range": "A2:B2", "values": [["Tea", "12"]]});
    let plan = propose(&robot, &id, json!([row, set])).await.await.status(200)["plan"].clone();
    assert_eq!(warned(&plan), [warning("Budget!B1:B3")]);
    apply(&robot, &plan).await.await.refused(403, "approval_required");
}

#[shared_testing::test]
async fn no_way_leads_around_the_protection() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let id = budget(&ada).await;
    protect(&ada, &id, json!([{"range": "Budget!B3"}])).await.status(200);
    let set = json!([{"op": "set_cells", "sheet": "Budget", "range": "B3", "values": [["1000"]]}]);
    let plan = propose(&robot, &id, set).await.await.status(200)["plan"].clone();

    // The tool cannot ask anybody here, so nobody agreed.
    let arguments = json!({"file_id": id, "plan_id": plan["id"], "if_match": samples::etag(&robot, &id).await});
    let call = json!({"name": "apply_plan", "arguments": arguments});
    let said = mcp::message(&robot, "tools/call", call).await.status(200)["result"].clone();
    assert_eq!(said["isError"], true, "{said}");
    assert!(said["content"][0]["text"].text().starts_with("refused approval_required"), "{said}");

    let together = json!({"title": "Around it", "plans": [{"file_id": id, "plan_id": plan["id"]}]});
    let proposal = robot.post("/v1/proposals").fresh_key().json(together).await.status(200)["proposal"].clone();
    let path = format!("/v1/proposals/{}/apply", proposal["id"].text());
    let seen = json!({"proposal_sha256": proposal["proposal_sha256"]});
    robot.post(&path).fresh_key().json(seen).await.refused(403, "approval_required");
    let cells = ada.get(format!("/v1/spreadsheets/{id}/range?sheet=Budget&range=B3")).await.status(200);
    assert!(cells.body().contains("SUM(B1:B2)"), "{cells}");
}

#[shared_testing::test]
async fn a_restored_version_brings_protected_cells_back_and_no_agent_moves_them_away() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let id = budget(&ada).await;
    protect(&ada, &id, json!([{"range": "Budget!B3"}])).await.status(200);
    // A copy of the protected text where the cell moves to, then the move, then back.
    let decoy = json!([{"op": "set_cells", "sheet": "Budget", "range": "A4:B4", "values": [["x", "=SUM(B2:B3)"]]}]);
    let plan = propose(&robot, &id, decoy).await.await.status(200)["plan"].clone();
    let version = apply(&robot, &plan).await.await.status(200)["file"]["current_version_id"].text().to_owned();
    let insert = json!([{"op": "insert_rows", "sheet": "Budget", "row": 1, "count": 1}]);
    let plan = propose(&robot, &id, insert).await.await.status(200)["plan"].clone();
    apply(&robot, &plan).await.await.status(200);
    assert_eq!(protected(&ada, &id).await, json!([{"range": "Budget!B4"}]));
    let restore = format!("versions/{version}/restore");
    samples::command(&robot, &id, &restore, json!({})).await.await.refused(403, "approval_required");

    samples::command(&ada, &id, &restore, json!({})).await.await.status(200);
    assert_eq!(protected(&ada, &id).await, json!([{"range": "Budget!B3"}]));
    // Forth and back again, and a place that was set later stays where it is.
    let back = ada.get(format!("/v1/files/{id}")).await.status(200)["file"]["current_version_id"].text().to_owned();
    let insert = json!([{"op": "insert_rows", "sheet": "Budget", "row": 2, "count": 2}]);
    let plan = propose(&ada, &id, insert).await.await.status(200)["plan"].clone();
    apply(&ada, &plan).await.await.status(200);
    assert_eq!(protected(&ada, &id).await, json!([{"range": "Budget!B5"}]));
    protect(&ada, &id, json!([{"range": "Budget!A1"}, {"range": "Budget!B5"}])).await.status(200);
    samples::command(&ada, &id, &format!("versions/{back}/restore"), json!({})).await.await.status(200);
    assert_eq!(protected(&ada, &id).await, json!([{"range": "Budget!A1"}, {"range": "Budget!B3"}]));
    protect(&ada, &id, json!([{"range": "Budget!A1"}])).await.status(200);
    samples::command(&ada, &id, &restore, json!({})).await.await.status(200);
    assert_eq!(protected(&ada, &id).await, json!([{"range": "Budget!A1"}]));
}

#[shared_testing::test]
async fn what_is_protected_after_the_proposal_is_protected_from_it() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let replace =
        json!([{"op": "replace_text", "block_id": "b0", "find": "one", "replace": "ONE", "expected_count": 1}]);
    let plan = propose(&robot, &id, replace).await.await.status(200)["plan"].clone();
    protect(&ada, &id, json!([{"block_id": "b0"}])).await.status(200);
    apply(&robot, &plan).await.await.refused(403, "approval_required");
    protect(&ada, &id, json!([])).await.status(200);
    apply(&robot, &plan).await.await.status(200);
}

#[shared_testing::test]
async fn drafts_and_restored_versions_pass_the_same_gate() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let replace = |find: &str, to: &str| json!([{"op": "replace_text", "block_id": "b0", "find": find, "replace": to, "expected_count": 1}]);
    let plan = propose(&ada, &id, replace("one", "uno")).await.await.status(200)["plan"].clone();
    apply(&ada, &plan).await.await.status(200);
    protect(&ada, &id, json!([{"block_id": "b0"}])).await.status(200);
    samples::command(&robot, &id, "versions/ver_1/restore", json!({})).await.await.refused(403, "approval_required");

    let promote = async |first: &str, second: &str| {
        let block = |id: &str, text: &str| json!({"id": id, "type": "paragraph", "segments": [{"text": text}]});
        let content = json!({"kind": "docs", "blocks": [block("b0", first), block("b1", second)]});
        let draft = json!({"type": "document", "name": "Draft", "content": content});
        let draft =
            robot.post("/v1/scratch").fresh_key().json(draft).await.status(200)["draft"]["id"].text().to_owned();
        let request = robot.post(format!("/v1/scratch/{draft}/promote")).fresh_key();
        request.header("if-match", samples::etag(&robot, &id).await).json(json!({"file_id": id})).await
    };
    promote("eins", "two").await.refused(403, "approval_required");
    promote("uno", "zwei").await.status(200);
    samples::command(&ada, &id, "versions/ver_1/restore", json!({})).await.await.status(200);
}

#[shared_testing::test]
async fn a_whole_file_and_a_page_with_its_elements_are_protected() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let folder = samples::folder(&ada, "Folder", None).await;
    protect(&ada, &folder, json!([{}])).await.refused(422, "anchor_not_found").problems_at(&["/protected/0"]);
    let note = json!({"name": "N", "content": {"title": "N", "content": "a"}});
    let note = samples::id(&ada.post("/v1/notes").fresh_key().json(note).await.status(200));
    protect(&ada, &note, json!([{}])).await.status(200);
    let plan =
        propose(&robot, &note, json!([{"op": "set_flags", "pinned": true}])).await.await.status(200)["plan"].clone();
    assert_eq!(warned(&plan), [warning("")]);

    let element = json!({"id": "e", "type": "text", "x": 0, "y": 0, "w": 9, "h": 9, "rotation": 0, "text": "e",
        "fill": "#ffffff", "color": "#000000", "fontSize": 12, "align": "left", "weight": 400});
    let slide = |id: &str| json!({"id": id, "name": id, "background": "#ffffff", "elements": [], "notes": ""});
    let body = json!({"name": "Talk", "content": {"slides": [slide("s"), slide("t")]}});
    let talk = samples::id(&ada.post("/v1/presentations").fresh_key().json(body).await.status(200));
    protect(&ada, &talk, json!([{"slide_id": "s"}])).await.status(200);
    let insert = |slide: &str| json!([{"op": "insert_element", "slide_id": slide, "element": element}]);
    let plan = propose(&robot, &talk, insert("t")).await.await.status(200)["plan"].clone();
    assert_eq!(warned(&plan).len(), 0);
    let plan = propose(&robot, &talk, insert("s")).await.await.status(200)["plan"].clone();
    assert_eq!(warned(&plan), [warning("s")]);
}

#[shared_testing::test]
async fn an_agent_puts_no_copy_in_the_place_of_a_protected_file() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let top = samples::folder(&ada, "Contracts", None).await;
    let inner = samples::folder(&ada, "2026", Some(&top)).await;
    let other = samples::folder(&ada, "Other", None).await;
    let contract = samples::document_in(&ada, "Contract", &inner).await;
    protect(&ada, &contract, json!([{}])).await.status(200);
    let command = async |caller: &Caller, id: &str, verb: &str| {
        let body = match verb {
            "rename" => json!({"name": "Elsewhere"}),
            "move" => json!({"parent_id": other}),
            _ => json!({}),
        };
        samples::command(caller, id, verb, body).await.await
    };
    for id in [&contract, &inner, &top] {
        for verb in ["rename", "move", "trash"] {
            command(&robot, id, verb).await.refused(403, "approval_required");
        }
    }
    command(&robot, &other, "rename").await.status(200);
    let copy = samples::command(&robot, &contract, "copy", json!({"name": "Copy"})).await.await.status(200);
    command(&robot, &samples::id(&copy), "trash").await.status(200);
    for verb in ["rename", "move", "trash"] {
        command(&ada, &inner, verb).await.status(200);
    }
    samples::command(&ada, &inner, "restore", json!({})).await.await.status(200);
    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'direct'").await;
    command(&robot, &inner, "trash").await.status(200);
}

#[shared_testing::test]
async fn a_workspace_says_what_else_is_a_risk() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let rules = |caller: &Caller, rules: Value| caller.request("PUT", "/v1/risk-rules").fresh_key().json(rules);
    assert_eq!(ada.get("/v1/risk-rules").await.status(200)["rules"], json!({"relied_formulas": false}));
    let strict = json!({"deletions_above": 1, "relied_formulas": true});
    rules(&robot, strict.clone()).await.refused(403, "person_required");

    let cells = json!([["1", "=A1"], ["2", "=SUM(B1:B1)"], ["3", "x"], ["4", "y"], ["5", "z"]]);
    let content = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]});
    let body = json!({"name": "S", "content": content});
    let id = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200));
    let clear = |range: &str| json!([{"op": "clear_range", "sheet": "S", "range": range}]);
    let warned_of = async |range: &str| warned(&propose(&robot, &id, clear(range)).await.await.status(200)["plan"]);
    // The total itself is not what another formula relies on.
    assert_eq!((warned_of("B1").await.len(), warned_of("A4:A5").await.len()), (0, 0));
    rules(&ada, strict.clone()).await.status(200);
    assert_eq!(robot.get("/v1/risk-rules").await.status(200)["rules"], strict);
    let one = |code: &str, place: &str| vec![(code.to_owned(), place.to_owned())];
    // The same edits would answer with the plans that are open.
    assert_eq!(warned_of("B1:C1").await, one("relied_formula_changed", "S!B1"));
    assert_eq!(warned_of("B2:C2").await.len(), 0);
    assert_eq!(warned_of("A3:A4").await, one("large_deletion", ""));
    let blank = json!([{"op": "set_cells", "sheet": "S", "range": "A3:A4", "values": [[" "], [" "]]}]);
    let plan = propose(&robot, &id, blank).await.await.status(200)["plan"].clone();
    assert_eq!(warned(&plan), one("large_deletion", ""));
    // Rows that move a formula do not change it.
    let insert = json!([{"op": "insert_rows", "sheet": "S", "row": 1, "count": 1}]);
    assert_eq!(warned(&propose(&robot, &id, insert).await.await.status(200)["plan"]).len(), 0);

    // The same gate, also for restored versions.
    let plan = propose(&robot, &id, clear("A3:A5")).await.await.status(200)["plan"].clone();
    apply(&robot, &plan).await.await.refused(403, "approval_required");
    let set = json!([{"op": "set_cells", "sheet": "S", "range": "A6:A7", "values": [["6"], ["7"]]}]);
    let plan = propose(&ada, &id, set).await.await.status(200)["plan"].clone();
    apply(&ada, &plan).await.await.status(200);
    samples::command(&robot, &id, "versions/ver_1/restore", json!({})).await.await.refused(403, "approval_required");
}
