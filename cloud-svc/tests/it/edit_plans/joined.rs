//! Proposals that exist already.

use std::time::Duration;

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Stage, Text as _, together};

use crate::samples::{self, apply, propose, step};

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
