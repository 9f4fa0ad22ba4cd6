//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/rebase`.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Stage, Text};

use crate::samples::{self, propose};

async fn rebase(caller: &Caller, plan: &Value) -> Request {
    let etag = samples::etag(caller, plan["file_id"].text()).await;
    samples::step(caller, plan, "rebase", json!({})).header("if-match", etag)
}

async fn planned(caller: &Caller, id: &str, operations: Value) -> Value {
    propose(caller, id, operations).await.await.status(200)["plan"].clone()
}

fn replace(block: &str, text: &str) -> Value {
    json!([{"op": "replace_block", "block_id": block, "block": {"type": "paragraph", "segments": [{"text": text}]}}])
}

#[shared_testing::test]
async fn a_rebase_keeps_edits_of_other_blocks() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
    let mine = planned(&ada, &id, replace("b0", "ONE")).await;
    let theirs = planned(&ada, &id, replace("b1", "TWO")).await;
    samples::apply(&ada, &theirs).await.await.status(200);
    let stale = samples::apply(&ada, &mine).await.await.refused(409, "plan_stale");
    assert_eq!(stale["error"]["next_action"]["type"], "rebase");
    let rebased = rebase(&ada, &mine).await.await.status(200)["plan"].clone();
    assert_ne!(rebased["id"], mine["id"]);
    assert_eq!((&rebased["stale"], &rebased["changes"]), (&json!(false), &mine["changes"]));
    samples::apply(&ada, &rebased).await.await.status(200);
    let document = ada.get(format!("/v1/documents/{id}")).await.status(200);
    let texts: Vec<_> = (0..3).map(|at| document["content"]["blocks"][at]["segments"][0]["text"].text()).collect();
    assert_eq!(texts, ["ONE", "TWO", "three"]);
}

#[shared_testing::test]
async fn edits_of_the_same_block_are_a_conflict_that_names_it() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    for theirs in [replace("b0", "1"), json!([{"op": "delete_block", "block_id": "b0"}])] {
        let mine = planned(&ada, &id, replace("b0", "ONE")).await;
        let theirs = planned(&ada, &id, theirs).await;
        samples::apply(&ada, &theirs).await.await.status(200);
        let conflict = rebase(&ada, &mine).await.await.refused(409, "plan_conflict");
        assert!(conflict["error"]["message"].text().contains("b0"), "{conflict}");
    }
}

#[shared_testing::test]
async fn an_insertion_needs_the_block_before_it() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let block = json!({"type": "divider", "segments": []});
    let mine = planned(&ada, &id, json!([{"op": "insert_block", "block": block, "after_id": "b0"}])).await;
    let theirs = planned(&ada, &id, json!([{"op": "delete_block", "block_id": "b0"}])).await;
    samples::apply(&ada, &theirs).await.await.status(200);
    rebase(&ada, &mine).await.await.refused(409, "plan_conflict");
}

#[shared_testing::test]
async fn a_plan_that_a_rename_made_stale_can_be_rebased() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    samples::command(&ada, &id, "rename", json!({"name": "B"})).await.await.status(200);
    samples::apply(&ada, &plan).await.await.refused(409, "plan_stale");
    let rebased = rebase(&ada, &plan).await.await.status(200)["plan"].clone();
    samples::apply(&ada, &rebased).await.await.status(200);
}

#[shared_testing::test]
async fn a_remark_on_a_block_by_its_place_is_not_put_on_another() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
    let remark = json!([{"op": "set_annotations", "annotations": [{"block": 1, "text": "about two"}]}]);
    let mine = planned(&ada, &id, remark).await;
    let theirs = planned(&ada, &id, json!([{"op": "move_block", "block_id": "b2", "after_id": null}])).await;
    samples::apply(&ada, &theirs).await.await.status(200);
    let conflict = rebase(&ada, &mine).await.await.refused(409, "plan_conflict");
    assert!(conflict["error"]["message"].text().contains("annotations"), "{conflict}");
}

#[shared_testing::test]
async fn a_cell_is_not_written_into_another_sheet_that_took_the_name() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let sheet = |name: &str| json!({"name": name, "cells": [["same", ""]]});
    let content = json!({"kind": "sheets", "sheets": [sheet("S"), sheet("T")]});
    let created =
        ada.post("/v1/spreadsheets").fresh_key().json(json!({"name": "B", "content": content})).await.status(200);
    let id = samples::id(&created);
    let mine =
        planned(&ada, &id, json!([{"op": "set_cells", "sheet": "S", "range": "B1", "values": [["mine"]]}])).await;
    let renames = json!([
        {"op": "rename_sheet", "sheet": "S", "name": "Z"}, {"op": "rename_sheet", "sheet": "T", "name": "S"}
    ]);
    samples::apply(&ada, &planned(&ada, &id, renames).await).await.await.status(200);
    rebase(&ada, &mine).await.await.refused(409, "plan_conflict");
}

#[shared_testing::test]
async fn edits_that_no_longer_fit_into_the_file_are_a_conflict() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let sheets: Vec<_> = (0..9).map(|number| json!({"name": format!("S{number}"), "cells": [["x"]]})).collect();
    let content = json!({"kind": "sheets", "sheets": sheets});
    let created =
        ada.post("/v1/spreadsheets").fresh_key().json(json!({"name": "B", "content": content})).await.status(200);
    let id = samples::id(&created);
    let add = |name: &str| json!([{"op": "add_sheet", "name": name, "cells": [[""]]}]);
    let (mine, theirs) = (planned(&ada, &id, add("Mine")).await, planned(&ada, &id, add("Theirs")).await);
    samples::apply(&ada, &theirs).await.await.status(200);
    rebase(&ada, &mine).await.await.refused(409, "plan_conflict");
}
