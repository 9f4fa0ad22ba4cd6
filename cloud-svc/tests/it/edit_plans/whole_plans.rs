//! What becomes of a plan whose parts are applied one after the other.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use super::parts::{rebased, replace};
use crate::samples::{self, apply, propose, step};

/// A plan that gives the first blocks of a document other texts.
async fn planned(author: &Caller, blocks: usize) -> Value {
    let id = samples::id(&samples::document_of(author, &["zero", "one", "two", "three"]).await);
    let edits: Vec<_> = (0..blocks).map(|block| replace(&format!("b{block}"), &format!("new {block}"))).collect();
    propose(author, &id, json!(edits)).await.await.status(200)["plan"].clone()
}

/// Such a plan in review.
async fn in_review(author: &Caller, blocks: usize) -> Value {
    let plan = planned(author, blocks).await;
    step(author, &plan, "request-review", json!({})).await.status(200)["plan"].clone()
}

async fn part(by: &Caller, whole: &Value, change: &str) -> Value {
    step(by, whole, "split", json!({"changes": [change]})).await.status(200)["plan"].clone()
}

/// Applies a part on the present version, after its review if it has one. Returns the plan that was applied.
async fn carry_out(author: &Caller, reviewer: &Caller, part: &Value) -> Value {
    let part = rebased(author, part).await;
    if part["state"] == "in_review" {
        step(reviewer, &part, "approve", json!({})).await.status(200);
    }
    apply(author, &part).await.await.status(200);
    part
}

fn path(plan: &Value) -> String {
    format!("/v1/files/{}/edit-plans/{}", plan["file_id"].text(), plan["id"].text())
}

/// The plan as it is now.
async fn now(caller: &Caller, plan: &Value) -> Value {
    caller.get(path(plan)).await.status(200)["plan"].clone()
}

async fn page(stage: &Stage, caller: &Caller, plan: &Value) -> String {
    let path = format!("/f/{}/plans/{}", plan["file_id"].text(), plan["id"].text());
    stage.browser(caller).get(path).await.status(200).body()
}

/// A proposal of one plan.
async fn together(author: &Caller, plan: &Value) -> Value {
    let plans = json!([{"file_id": plan["file_id"], "plan_id": plan["id"]}]);
    let body = json!({"title": "Together", "plans": plans});
    author.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"].clone()
}

#[shared_testing::test]
async fn a_plan_ends_with_the_last_of_its_parts() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let whole = in_review(&ada, 2).await;
    let (one, two) = (part(&bob, &whole, "c1").await, part(&bob, &whole, "c2").await);
    carry_out(&ada, &bob, &one).await;
    assert_eq!(now(&bob, &whole).await["state"], "in_review");
    let last = carry_out(&ada, &bob, &two).await;

    let ended = now(&bob, &whole).await;
    assert_eq!((&ended["state"], &ended["superseded_by"]), (&json!("discarded"), &last["id"]));
    assert_eq!(bob.get("/v1/edit-plans?for=me").await.status(200)["items"], json!([]));
    let newest = bob.get("/v1/changes/recent?limit=1").await.status(200)["items"][0].clone();
    assert_eq!((newest["type"].text(), &newest["plan_id"]), ("plan.discarded", &whole["id"]));
    let receipts = bob.get(format!("{}/receipt", path(&whole))).await.status(200)["receipts"].clone();
    assert_eq!(receipts[0]["statement"]["decision"], "discarded", "{receipts}");
    let etag = samples::etag(&ada, whole["file_id"].text()).await;
    let refused = step(&ada, &whole, "rebase", json!({})).header("if-match", etag).await.refused(409, "plan_discarded");
    assert!(refused.leads_to("refresh").ends_with(last["id"].text()), "{refused}");
    let page = page(&stage, &bob, &whole).await;
    assert!(page.contains("Its parts have made all its changes.") && !page.contains("Replaced by"), "{page}");
}

#[shared_testing::test]
async fn a_rebased_plan_ends_with_the_parts_of_the_plan_before_it() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let whole = in_review(&ada, 3).await;
    let (first, second) = (part(&bob, &whole, "c1").await, part(&bob, &whole, "c2").await);
    let third = part(&bob, &whole, "c3").await;
    carry_out(&ada, &bob, &first).await;
    let rest = rebased(&ada, &whole).await;
    let replaced = page(&stage, &bob, &whole).await;
    assert!(replaced.contains("Replaced by") && !replaced.contains("Its parts"), "{replaced}");
    carry_out(&ada, &bob, &third).await;
    assert_eq!(now(&bob, &rest).await["state"], "in_review");
    carry_out(&ada, &bob, &second).await;
    assert_eq!(now(&bob, &rest).await["state"], "discarded");
}

#[shared_testing::test]
async fn a_proposal_that_applies_the_last_part_ends_the_plan() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let whole = planned(&ada, 2).await;
    let (one, two) = (part(&ada, &whole, "c1").await, part(&ada, &whole, "c2").await);
    carry_out(&ada, &bob, &one).await;
    let proposal = together(&ada, &rebased(&ada, &two).await).await;
    assert_eq!(now(&ada, &whole).await["state"], "proposed");
    let seen = json!({"proposal_sha256": proposal["proposal_sha256"]});
    let apply = format!("/v1/proposals/{}/apply", proposal["id"].text());
    ada.post(apply).fresh_key().json(seen).await.status(200);
    assert_eq!(now(&ada, &whole).await["state"], "discarded");
}

#[shared_testing::test]
async fn a_plan_that_is_decided_in_another_way_outlives_its_parts() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    for way in ["proposal", "return", "amend"] {
        let whole = if way == "proposal" { planned(&ada, 2).await } else { in_review(&ada, 2).await };
        let parts = [part(&ada, &whole, "c1").await, part(&ada, &whole, "c2").await];
        let (left, expected) = match way {
            "proposal" => {
                together(&ada, &whole).await;
                (whole, "proposed")
            }
            "return" => {
                let returned = step(&bob, &whole, "return", json!({"reason": "Not all of it."})).await.status(200);
                (returned["plan"].clone(), "returned")
            }
            _ => {
                let more = json!({"operations": [replace("b3", "more")]});
                let amended = step(&bob, &whole, "amend", more).await.status(200);
                (amended["plan"].clone(), "proposed")
            }
        };
        for part in &parts {
            carry_out(&ada, &bob, part).await;
        }
        assert_eq!(now(&ada, &left).await["state"], expected, "{way}");
    }
}

#[shared_testing::test]
async fn a_plan_ends_with_a_part_that_a_co_author_revised() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let more = json!({"operations": [replace("b3", "more")]});
    let whole = step(&bob, &in_review(&ada, 1).await, "amend", more).await.status(200)["plan"].clone();
    let (one, two) = (part(&ada, &whole, "c1").await, part(&ada, &whole, "c2").await);
    carry_out(&ada, &bob, &one).await;
    let two = rebased(&ada, &two).await;
    let other = json!({"operations": [replace("b3", "revised")]});
    let etag = samples::etag(&bob, whole["file_id"].text()).await;
    let revised = step(&bob, &two, "revise", other).header("if-match", etag).await.status(200)["plan"].clone();
    assert_eq!(revised["actor"]["id"], "bob");
    apply(&bob, &revised).await.await.status(200);
    assert_eq!(now(&ada, &whole).await["state"], "discarded");
}

#[shared_testing::test]
async fn plans_that_cannot_end_are_not_read() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let unreadable = async |author: &Caller, of: &Value| {
        let edits = json!([replace("b2", "other")]);
        let plan = propose(author, of["file_id"].text(), edits).await.await.status(200)["plan"].clone();
        // What is no JSON cannot be read.
        let id = plan["id"].text();
        samples::sql(&stage, &format!("UPDATE edit_plans SET lineage = '' WHERE id = '{id}'")).await;
    };
    let more = json!({"operations": [replace("b3", "more")]});
    let amended = step(&bob, &in_review(&ada, 1).await, "amend", more).await.status(200)["plan"].clone();
    unreadable(&ada, &amended).await;
    apply(&ada, &amended).await.await.status(200);

    let whole = planned(&ada, 2).await;
    unreadable(&bob, &whole).await;
    let parts = [part(&ada, &whole, "c1").await, part(&ada, &whole, "c2").await];
    for part in &parts {
        carry_out(&ada, &bob, part).await;
    }
    assert_eq!(now(&ada, &whole).await["state"], "discarded");
}
