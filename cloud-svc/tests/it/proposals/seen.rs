//! A step is for the plans that its caller has seen.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use super::{act, all_blocks, planned, propose, state};
use crate::samples::{apply, plan};

/// Makes the first of these plans stale.
async fn change_first(caller: &Caller, plans: &[Value], text: &str) {
    let other = plan(caller, plans[0]["file_id"].text(), text).await;
    apply(caller, &other).await.await.status(200);
}

#[shared_testing::test]
async fn plans_that_a_rebase_has_replaced_are_neither_approved_nor_applied() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let plans = planned(&ada, 2).await;
    let seen = propose(&ada, &plans).await;
    act(&ada, &seen, "request-review", json!({})).await.status(200);
    change_first(&ada, &plans, "other").await;
    let now = act(&ada, &seen, "rebase", json!({})).await.status(200)["proposal"].clone();
    let refused = act(&bob, &seen, "approve", json!({})).await.refused(409, "proposal_state");
    let read = bob.get(refused.leads_to("refresh")).await.status(200)["proposal"].clone();
    assert_eq!((&read["state"], &read["proposal_sha256"]), (&json!("in_review"), &now["proposal_sha256"]));
    act(&bob, &read, "approve", json!({})).await.status(200);
    act(&ada, &seen, "apply", json!({})).await.refused(409, "proposal_state");
    assert_eq!(all_blocks(&ada, &plans).await, [2, 1]);
    let applied = act(&ada, &read, "apply", json!({})).await.status(200);
    assert_eq!((state(&applied), all_blocks(&ada, &plans).await), ("applied", vec![3, 2]));
}

#[shared_testing::test]
async fn a_stale_proposal_is_rebased_before_its_author_asks_for_a_review() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let plans = planned(&ada, 2).await;
    let proposal = propose(&ada, &plans).await;
    change_first(&ada, &plans, "other").await;
    let stale = act(&ada, &proposal, "request-review", json!({})).await.refused(409, "plan_stale");
    assert!(stale.leads_to("rebase").ends_with(&format!("/{}/rebase", proposal["id"].text())), "{stale}");
    let rebased = act(&ada, &proposal, "rebase", json!({})).await.status(200);
    let asked = act(&ada, &rebased["proposal"], "request-review", json!({})).await.status(200);
    assert_eq!(state(&asked), "in_review");
}

#[shared_testing::test]
async fn plans_that_its_author_has_added_are_not_applied_unseen() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let plans = planned(&ada, 2).await;
    let seen = propose(&ada, &plans[..1]).await;
    let added = json!({"add": super::named(&plans[1..])});
    act(&ada, &seen, "plans", added).await.status(200);
    act(&bob, &seen, "apply", json!({})).await.refused(409, "proposal_state");
    assert_eq!(all_blocks(&ada, &plans).await, [1, 1]);
}

#[shared_testing::test]
async fn a_rebase_that_is_sent_again_does_not_replace_what_it_has_made() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let plans = planned(&ada, 2).await;
    let first = propose(&ada, &plans).await;
    change_first(&ada, &plans, "other").await;
    let second = act(&ada, &first, "rebase", json!({})).await.status(200)["proposal"].clone();
    change_first(&ada, &plans, "another").await;
    act(&ada, &first, "rebase", json!({})).await.refused(409, "proposal_state");
    let third = act(&ada, &second, "rebase", json!({})).await.status(200)["proposal"].clone();
    assert_ne!(third["proposal_sha256"], second["proposal_sha256"]);
    act(&ada, &third, "apply", json!({})).await.status(200);
}

#[shared_testing::test]
async fn a_step_names_what_was_seen() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let proposal = propose(&ada, &planned(&ada, 1).await).await;
    for verb in ["approve", "apply", "rebase"] {
        let path = format!("/v1/proposals/{}/{verb}", proposal["id"].text());
        for (body, at) in [(json!({}), ""), (json!({"proposal_sha256": "9f86"}), "/proposal_sha256")] {
            bob.post(&path).fresh_key().json(body).await.refused(422, "invalid_field").problems_at(&[at]);
        }
    }
}
