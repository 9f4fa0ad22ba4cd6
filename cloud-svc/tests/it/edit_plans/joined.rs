//! Proposals that exist already.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Stage, Text as _, together};

use crate::samples::{self, apply, plan, propose, step};

#[shared_testing::test]
async fn twenty_parallel_proposals_with_twenty_keys_make_one_plan() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let block = json!({"type": "paragraph", "segments": [{"text": "two"}]});
    let mut requests = Vec::new();
    for _ in 0..20 {
        requests.push(propose(&ada, &id, json!([{"op": "insert_block", "block": block}])).await);
    }
    let answers = together(requests).await;
    let joined = answers.iter().filter(|answer| answer["joined"] == true).count();
    let mut plans: Vec<_> = answers.into_iter().map(|answer| answer.status(200)["plan"].clone()).collect();
    plans.dedup();
    assert_eq!((plans.len(), joined, stage.count("edit_plans")), (1, 19, 1));
}

#[shared_testing::test]
async fn a_proposal_joins_only_an_open_plan_of_its_author_for_the_same_state() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let edit = json!([{"op": "delete_block", "block_id": "b0"}, {"op": "insert_block", "block": {"type": "divider", "segments": []}}]);
    let first = propose(&ada, &id, edit.clone()).await.await.status(200);
    assert_eq!(first["joined"], false);
    // The same with other blanks and another order of members, from another grant of the same person.
    let text = r#"{ "operations": [{"block_id": "b0", "op": "delete_block"},
        {"block": {"segments": [], "type": "divider"}, "op": "insert_block"}] }"#;
    let etag = samples::etag(&ada, &id).await;
    let second = stage.caller("ada").claim("grant_id", "another");
    let sent = second.post(format!("/v1/files/{id}/edit-plans")).fresh_key().header("if-match", etag);
    let again = sent.body("application/json", text.as_bytes()).await.status(200);
    assert_eq!((&again["joined"], &again["plan"]["id"]), (&json!(true), &first["plan"]["id"]));
    let others = propose(&bob, &id, edit.clone()).await.await.status(200);
    assert_ne!(others["plan"]["id"], first["plan"]["id"], "another author");
    // A review does not close it.
    step(&ada, &first["plan"], "request-review", json!({})).await.status(200);
    let again = propose(&ada, &id, edit.clone()).await.await.status(200);
    assert_eq!((&again["plan"]["id"], &again["plan"]["state"]), (&first["plan"]["id"], &json!("in_review")));
    step(&ada, &first["plan"], "discard", json!({})).await.status(200);
    let after = propose(&ada, &id, edit.clone()).await.await.status(200)["plan"].clone();
    assert_ne!(after["id"], first["plan"]["id"], "the first is discarded");
    stage.clock.advance(Duration::from_secs(900));
    let ada = stage.caller("ada");
    let late = propose(&ada, &id, edit.clone()).await.await.status(200)["plan"].clone();
    assert_ne!(late["id"], after["id"], "the one before has expired");
    samples::command(&ada, &id, "rename", json!({"name": "B"})).await.await.status(200);
    let renamed = propose(&ada, &id, edit).await.await.status(200)["plan"].clone();
    assert_ne!(renamed["id"], late["id"], "another state of the file");
    apply(&ada, &renamed).await.await.status(200);
    assert_eq!(stage.count("edit_plans"), 5);
    assert!(renamed["id"].text().starts_with("plan_"));
}

/// The edits of [`plan`].
fn insert(text: &str) -> Value {
    json!({"operations": [{"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": text}]}}]})
}

async fn step_on(caller: &Caller, plan: &Value, verb: &str, body: Value) -> Request {
    let etag = samples::etag(caller, plan["file_id"].text()).await;
    step(caller, plan, verb, body).header("if-match", etag)
}

#[shared_testing::test]
async fn a_revision_joins_neither_the_plan_that_it_revises_nor_another() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let first = plan(&ada, &id, "two").await;
    step(&ada, &first, "request-review", json!({})).await.status(200);
    step(&bob, &first, "return", json!({"reason": "Why?"})).await.status(200);
    // The same edits, with an answer to the reviewer.
    let body = json!({"operations": insert("two")["operations"], "note": "Because."});
    let second = step_on(&ada, &first, "revise", body).await.await.status(200);
    assert_eq!(second["joined"], false);
    let second = second["plan"].clone();
    assert_eq!((&second["state"], &second["review"]["note"]), (&json!("in_review"), &json!("Because.")));
    let other = plan(&ada, &id, "three").await;
    let third = step_on(&ada, &second, "revise", insert("three")).await.await.status(200);
    assert_eq!((&third["joined"], &third["plan"]["revision"]), (&json!(false), &json!(3)));
    assert_ne!(third["plan"]["id"], other["id"]);
    let again = step_on(&ada, &second, "revise", insert("three")).await.await.status(200);
    assert_eq!((&again["joined"], &again["plan"]["id"]), (&json!(true), &third["plan"]["id"]));
}

#[shared_testing::test]
async fn a_rebase_keeps_its_review_although_its_author_has_proposed_the_same_again() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let first = plan(&ada, &id, "two").await;
    step(&ada, &first, "request-review", json!({})).await.status(200);
    apply(&bob, &plan(&bob, &id, "other").await).await.await.status(200);
    let again = plan(&ada, &id, "two").await;
    let rebased = step_on(&ada, &first, "rebase", json!({})).await.await.status(200);
    assert_eq!((&rebased["joined"], &rebased["plan"]["state"]), (&json!(false), &json!("in_review")));
    assert_eq!(rebased["plan"]["rebased_from"], first["id"]);
    assert_ne!(rebased["plan"]["id"], again["id"]);
}

#[shared_testing::test]
async fn an_equal_amendment_by_somebody_else_is_not_the_first_one() {
    let stage = Stage::of(service()).await;
    let (ada, bob, carol) = (stage.caller("ada"), stage.caller("bob"), stage.caller("carol"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let first = plan(&ada, &id, "two").await;
    let amended = step(&bob, &first, "amend", insert("three")).await.status(200)["plan"].clone();
    // Otherwise her edits would be in a plan that does not name her, and that she could approve.
    let refused = step(&carol, &first, "amend", insert("three")).await.refused(409, "plan_discarded");
    assert!(refused.leads_to("refresh").ends_with(amended["id"].text()), "{refused}");
    let again = step(&bob, &first, "amend", insert("three")).await.status(200);
    assert_eq!((&again["joined"], &again["plan"]["id"]), (&json!(true), &amended["id"]));
}

#[shared_testing::test]
async fn a_part_joins_only_a_part_of_the_same_plan() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
    let delete = |block: &str| json!({"op": "delete_block", "block_id": block});
    let mut parts = Vec::new();
    for other in ["b1", "b2"] {
        let whole = propose(&ada, &id, json!([delete("b0"), delete(other)])).await.await.status(200)["plan"].clone();
        let part = step(&ada, &whole, "split", json!({"changes": ["c1"]})).await.status(200);
        assert_eq!((&part["joined"], &part["plan"]["derived_from"]["plan_id"]), (&json!(false), &whole["id"]));
        parts.push(part["plan"]["id"].clone());
    }
    assert_ne!(parts[0], parts[1]);
}

#[shared_testing::test]
async fn a_part_with_all_changes_is_the_plan_itself() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let sheet =
        json!({"name": "Budget", "content": {"kind": "sheets", "sheets": [{"name": "S", "cells": [["1"], ["=A1"]]}]}});
    let id = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(sheet).await.status(200));
    let edits = json!([
        {"op": "insert_rows", "sheet": "S", "row": 1, "count": 1},
        {"op": "set_cells", "sheet": "S", "range": "B1:B1", "values": [["x"]]},
    ]);
    let whole = propose(&ada, &id, edits).await.await.status(200)["plan"].clone();
    let changes = whole["changes"].as_array().expect("changes");
    let own: Vec<_> = changes.iter().filter(|change| change["kind"] != "formula").map(|change| &change["id"]).collect();
    assert!(1 < own.len() && own.len() < changes.len(), "a formula follows its cells: {whole}");
    step(&ada, &whole, "request-review", json!({})).await.status(200);
    step(&bob, &whole, "approve", json!({})).await.status(200);
    let answer = step(&bob, &whole, "split", json!({"changes": own})).await.status(200);
    assert_eq!((&answer["joined"], &answer["plan"]["id"]), (&json!(true), &whole["id"]));
    assert_eq!(answer["plan"]["state"], "approved");
    assert_eq!(stage.count("edit_plans"), 1);
}
