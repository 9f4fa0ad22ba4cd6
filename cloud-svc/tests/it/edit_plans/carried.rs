//! What a rebase does with a review, and when an approval counts for the rebased plan.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Response, Stage, Text as _};

use crate::samples::{self, apply, propose, step};

async fn rebase(caller: &Caller, plan: &Value) -> Request {
    let etag = samples::etag(caller, plan["file_id"].text()).await;
    step(caller, plan, "rebase", json!({})).header("if-match", etag)
}

async fn planned(caller: &Caller, id: &str, operations: Value) -> Value {
    propose(caller, id, operations).await.await.status(200)["plan"].clone()
}

fn replace(block: &str, text: &str) -> Value {
    json!([{"op": "replace_block", "block_id": block, "block": {"type": "paragraph", "segments": [{"text": text}]}}])
}

async fn change(caller: &Caller, id: &str, operations: Value) {
    apply(caller, &planned(caller, id, operations).await).await.await.status(200);
}

/// A plan of `author` that bob has approved.
async fn approved(stage: &Stage, author: &Caller, id: &str, operations: Value) -> Value {
    let plan = planned(author, id, operations).await;
    step(author, &plan, "request-review", json!({"note": "Please."})).await.status(200);
    step(&stage.caller("bob"), &plan, "approve", json!({})).await.status(200)["plan"].clone()
}

async fn document(caller: &Caller) -> String {
    samples::id(&samples::document_of(caller, &["zero", "one", "two", "three", "four", "five"]).await)
}

#[track_caller]
fn is_carried(rebased: &Response, from: &Value) {
    let plan = &rebased["plan"];
    assert_eq!((&plan["state"], &plan["approval_carried_from"]), (&json!("approved"), &from["id"]), "{plan}");
    assert_eq!((&plan["review"], &plan["expires_at"]), (&from["review"], &from["expires_at"]), "{plan}");
}

#[track_caller]
fn is_asked_again(rebased: &Response) {
    let plan = &rebased["plan"];
    assert_eq!((&plan["state"], &plan["approval_carried_from"]), (&json!("in_review"), &Value::Null), "{plan}");
    assert_eq!(plan["review"]["verdict"], Value::Null, "{plan}");
}

#[shared_testing::test]
async fn a_stale_plan_is_rejected_and_not_approved() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = document(&ada).await;
    let plan = planned(&ada, &id, replace("b0", "ZERO")).await;
    step(&ada, &plan, "request-review", json!({})).await.status(200);
    change(&ada, &id, replace("b5", "FIVE")).await;
    let stale = step(&bob, &plan, "approve", json!({})).await.refused(409, "plan_stale");
    let next = &stale["error"]["next_action"];
    assert_eq!((next["type"].text(), &next["etag"]), ("rebase", &json!(samples::etag(&ada, &id).await)));
    step(&bob, &plan, "reject", json!({"reason": "No."})).await.status(200);
    apply(&ada, &plan).await.await.refused(409, "plan_rejected");
}

#[shared_testing::test]
async fn a_stale_plan_is_rebased_before_its_author_asks_for_a_review() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = document(&ada).await;
    let plan = planned(&ada, &id, replace("b0", "ZERO")).await;
    change(&ada, &id, replace("b5", "FIVE")).await;
    let stale = step(&ada, &plan, "request-review", json!({})).await.refused(409, "plan_stale");
    let etag = samples::etag(&ada, &id).await;
    let rebased = ada.post(stale.leads_to("rebase")).fresh_key().header("if-match", etag).json(json!({}));
    let rebased = rebased.await.status(200)["plan"].clone();
    let asked = step(&ada, &rebased, "request-review", json!({})).await.status(200);
    assert_eq!(asked["plan"]["state"], "in_review");
}

#[shared_testing::test]
async fn a_rebase_asks_again_for_the_review_that_was_asked_for() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = document(&ada).await;
    let plan = planned(&ada, &id, replace("b0", "ZERO")).await;
    step(&ada, &plan, "request-review", json!({"note": "Please."})).await.status(200);
    let same = rebase(&bob, &plan).await.await.status(200);
    assert_eq!((&same["joined"], &same["plan"]["id"]), (&json!(true), &plan["id"]), "it is not stale");
    change(&ada, &id, replace("b5", "FIVE")).await;
    stage.clock.advance(Duration::from_secs(604_000));
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let rebased = rebase(&bob, &plan).await.await.status(200);
    is_asked_again(&rebased);
    let new = &rebased["plan"];
    assert_eq!((&new["rebased_from"], &new["review"]["note"]), (&plan["id"], &json!("Please.")));
    assert_eq!((new["actor"]["id"].text(), new["rebased_by"]["id"].text()), ("ada", "bob"));
    let read = ada.get(format!("/v1/files/{id}/edit-plans/{}", plan["id"].text())).await.status(200);
    assert_eq!(read["plan"]["state"], "discarded");
    // A retry with another key.
    let again = rebase(&bob, &plan).await.await.status(200);
    assert_eq!((&again["joined"], &again["plan"]["id"]), (&json!(true), &new["id"]));
    // Its author is still ada.
    step(&ada, new, "approve", json!({})).await.refused(403, "self_approval");
    stage.clock.advance(Duration::from_secs(604_000));
    step(&stage.caller("bob"), new, "approve", json!({})).await.status(200);
    apply(&stage.caller("ada"), new).await.await.status(200);
    let feed = stage.caller("ada").get("/v1/changes").await.status(200);
    let of_plans: Vec<_> = feed["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter(|item| item["type"].text().starts_with("plan."))
        .collect();
    let told: Vec<_> = of_plans.iter().map(|item| (item["type"].text(), &item["plan_id"])).collect();
    assert_eq!(
        told,
        [
            ("plan.review_requested", &plan["id"]),
            ("plan.review_requested", &new["id"]),
            ("plan.discarded", &plan["id"]),
            ("plan.approved", &new["id"])
        ]
    );
}

#[shared_testing::test]
async fn an_approval_survives_what_does_not_touch_it() {
    let stage = Stage::of(service()).await;
    let (ada, carol) = (stage.caller("ada"), stage.caller("carol"));
    let id = document(&ada).await;
    let plan = approved(&stage, &ada, &id, replace("b0", "ZERO")).await;
    change(&carol, &id, replace("b5", "FIVE")).await;
    let rebased = rebase(&ada, &plan).await.await.status(200);
    is_carried(&rebased, &plan);
    change(&carol, &id, replace("b4", "FOUR")).await;
    let twice = rebase(&carol, &rebased["plan"]).await.await.status(200);
    assert_eq!(twice["plan"]["approval_carried_from"], rebased["plan"]["id"]);
    assert_eq!(twice["plan"]["expires_at"], plan["expires_at"], "not prolonged");
    apply(&ada, &twice["plan"]).await.await.status(200);
    for used in [&plan, &rebased["plan"]] {
        rebase(&ada, used).await.await.refused(409, "plan_discarded");
    }
}

#[shared_testing::test]
async fn an_approval_is_used_once() {
    let stage = Stage::of(service()).await;
    let (ada, carol) = (stage.caller("ada"), stage.caller("carol"));
    let id = document(&ada).await;
    let plan = approved(&stage, &ada, &id, replace("b0", "ZERO")).await;
    change(&carol, &id, replace("b5", "FIVE")).await;
    let rebased = rebase(&ada, &plan).await.await.status(200);
    let applied = apply(&ada, &rebased["plan"]).await.await.status(200);
    let undo = &applied["undo"];
    let path = undo["url"].text();
    ada.post(path).fresh_key().header("if-match", undo["if_match"].text()).json(json!({})).await.status(200);
    rebase(&ada, &plan).await.await.refused(409, "plan_discarded");
    rebase(&ada, &rebased["plan"]).await.await.refused(409, "plan_already_applied");
}

#[shared_testing::test]
async fn an_approval_ends_with_what_its_author_wrote_around_it() {
    let stage = Stage::of(service()).await;
    let (ada, carol) = (stage.caller("ada"), stage.caller("carol"));
    let agent = stage.caller("ada").claim("actor", json!({"type": "agent", "id": "agent-7", "display_name": "A"}));
    for (writer, is_kept) in [(&ada, false), (&agent, false), (&carol, true)] {
        let id = document(&ada).await;
        let plan = approved(&stage, &ada, &id, replace("b0", "ZERO")).await;
        change(writer, &id, replace("b5", "FIVE")).await;
        let rebased = rebase(&ada, &plan).await.await.status(200);
        if is_kept { is_carried(&rebased, &plan) } else { is_asked_again(&rebased) }
    }
}

#[shared_testing::test]
async fn an_approval_ends_with_what_its_author_wrote_and_others_applied() {
    let stage = Stage::of(service()).await;
    let (ada, bob, carol) = (stage.caller("ada"), stage.caller("bob"), stage.caller("carol"));
    let agent = stage.caller("ada").claim("actor", json!({"type": "agent", "id": "agent-7", "display_name": "A"}));
    for (writer, is_kept) in [(&ada, false), (&agent, false), (&bob, true)] {
        let id = document(&ada).await;
        let plan = approved(&stage, &ada, &id, replace("b0", "ZERO")).await;
        let other = planned(writer, &id, replace("b5", "FIVE")).await;
        apply(&carol, &other).await.await.status(200);
        let rebased = rebase(&ada, &plan).await.await.status(200);
        if is_kept { is_carried(&rebased, &plan) } else { is_asked_again(&rebased) }
    }
}

#[shared_testing::test]
async fn an_approval_ends_with_earlier_content_that_somebody_brings_back() {
    let stage = Stage::of(service()).await;
    let (ada, carol) = (stage.caller("ada"), stage.caller("carol"));
    let id = document(&ada).await;
    change(&ada, &id, replace("b5", "Ignore the above.")).await;
    let hers = samples::record(&ada, &id).await["file"]["current_version_id"].text().to_owned();
    change(&carol, &id, replace("b5", "five")).await;
    let plan = approved(&stage, &ada, &id, replace("b0", "ZERO")).await;
    let restore = format!("versions/{hers}/restore");
    samples::command(&carol, &id, &restore, json!({})).await.await.status(200);
    is_asked_again(&rebase(&ada, &plan).await.await.status(200));
}

#[shared_testing::test]
async fn an_approval_ends_with_another_state_of_its_surroundings() {
    let stage = Stage::of(service()).await;
    let (ada, carol) = (stage.caller("ada"), stage.caller("carol"));
    let heading = json!([{"op": "insert_block_before", "before_id": "b0", "block": {"type": "heading1", "segments": [{"text": "Refused"}]}}]);
    for (change_to, is_kept) in [
        (replace("b2", "not"), false),
        (replace("b4", "not"), false),
        (heading, false),
        (json!([{"op": "move_block", "block_id": "b5", "after_id": "b3"}]), false),
        (replace("b1", "ONE"), true),
    ] {
        let id = document(&ada).await;
        let plan = approved(&stage, &ada, &id, replace("b3", "THREE")).await;
        change(&carol, &id, change_to).await;
        let rebased = rebase(&ada, &plan).await.await.status(200);
        assert_eq!(rebased["plan"]["changes"], plan["changes"]);
        if is_kept { is_carried(&rebased, &plan) } else { is_asked_again(&rebased) }
    }
    let id = document(&ada).await;
    let plan = approved(&stage, &ada, &id, replace("b3", "THREE")).await;
    samples::command(&carol, &id, "rename", json!({"name": "Refused"})).await.await.status(200);
    is_asked_again(&rebase(&ada, &plan).await.await.status(200));
}

#[shared_testing::test]
async fn an_approval_of_a_cell_ends_when_its_row_or_column_changes() {
    let stage = Stage::of(service()).await;
    let (ada, carol) = (stage.caller("ada"), stage.caller("carol"));
    // The row below has the same empty cell in column C, but another name.
    let cells = json!([["rent", "100", "", ""], ["food", "200", "", ""], ["", "", "", ""], ["", "", "", "x"]]);
    let set = |range: &str, text: &str| json!([{"op": "set_cells", "sheet": "S", "range": range, "values": [[text]]}]);
    let moved = json!([
        {"op": "insert_rows", "sheet": "S", "row": 1, "count": 1}, {"op": "delete_rows", "sheet": "S", "row": 5, "count": 1}
    ]);
    let cases = [
        (moved, None),
        (set("A1", "food"), Some(false)),
        (set("C3", "total"), Some(false)),
        (set("D4", "y"), Some(true)),
    ];
    for (change_to, is_kept) in cases {
        let content = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]});
        let created = ada.post("/v1/spreadsheets").fresh_key().json(json!({"name": "B", "content": content}));
        let id = samples::id(&created.await.status(200));
        let plan = approved(&stage, &ada, &id, set("C1", "900")).await;
        change(&carol, &id, change_to).await;
        let rebased = rebase(&ada, &plan).await.await;
        match is_kept {
            // The cell is in another row: not even the edit can be made again.
            None => drop(rebased.refused(409, "plan_conflict")),
            Some(true) => is_carried(&rebased.status(200), &plan),
            Some(false) => is_asked_again(&rebased.status(200)),
        }
    }
}

#[shared_testing::test]
async fn an_approval_ends_with_a_new_warning_and_with_its_time() {
    let stage = Stage::of(service()).await;
    let (ada, carol) = (stage.caller("ada"), stage.caller("carol"));
    let id = document(&ada).await;
    let plan = approved(&stage, &ada, &id, json!([{"op": "delete_block", "block_id": "b0"}])).await;
    let comment = json!({"text": "Keep this.", "anchor": {"block_id": "b0"}});
    carol.post(format!("/v1/files/{id}/comments")).fresh_key().json(comment).await.status(200);
    change(&carol, &id, replace("b5", "FIVE")).await;
    let rebased = rebase(&ada, &plan).await.await.status(200);
    assert_ne!(rebased["plan"]["warnings"], plan["warnings"]);
    is_asked_again(&rebased);

    let id = document(&ada).await;
    let plan = approved(&stage, &ada, &id, replace("b0", "ZERO")).await;
    change(&carol, &id, replace("b5", "FIVE")).await;
    stage.clock.advance(Duration::from_secs(604_800));
    is_asked_again(&rebase(&stage.caller("ada"), &plan).await.await.status(200));
}

#[shared_testing::test]
async fn an_approval_ends_with_what_a_co_author_wrote_around_it() {
    for (writer, is_kept) in [("carol", true), ("dan", false)] {
        let stage = Stage::of(service()).await;
        let (ada, bob, dan) = (stage.caller("ada"), stage.caller("bob"), stage.caller("dan"));
        let id = document(&ada).await;
        let plan = planned(&ada, &id, replace("b0", "ZERO")).await;
        let operations = json!({"operations": replace("b1", "ONE")});
        let amended = step(&dan, &plan, "amend", operations).await.status(200)["plan"].clone();
        step(&ada, &amended, "request-review", json!({})).await.status(200);
        let amended = step(&bob, &amended, "approve", json!({})).await.status(200)["plan"].clone();
        change(&stage.caller(writer), &id, replace("b5", "FIVE")).await;
        let rebased = rebase(&ada, &amended).await.await.status(200);
        if is_kept { is_carried(&rebased, &amended) } else { is_asked_again(&rebased) }
    }
}
