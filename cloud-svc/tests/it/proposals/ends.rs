//! Proposals that are over, or nearly.

use std::time::Duration;

use cloud_svc::{edits::plans::sweep, service};
use serde_json::json;
use shared_testing::{Stage, Text as _};

use super::{act, all_blocks, named, planned, propose};
use crate::samples;

/// Nobody is told to discard what is over already.
#[shared_testing::test]
async fn a_proposal_that_is_over_says_so_also_after_a_purge() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let plans = planned(&ada, 2).await;
    let proposal = propose(&ada, &plans).await;
    act(&ada, &proposal, "discard", json!({})).await.status(200);
    for verb in ["trash", "purge"] {
        samples::command(&ada, plans[0]["file_id"].text(), verb, json!({})).await.await.status(200);
    }
    let steps = [(&ada, "apply"), (&ada, "undo"), (&ada, "rebase"), (&ada, "request-review"), (&bob, "approve")];
    for (caller, verb) in steps {
        let refused = act(caller, &proposal, verb, json!({})).await.refused(409, "proposal_state");
        assert!(refused["error"]["message"].text().ends_with(", and is discarded."), "{verb}: {refused}");
    }
}

#[shared_testing::test]
async fn an_applied_proposal_is_not_undone_without_a_file_that_is_purged() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let plans = planned(&ada, 2).await;
    let proposal = propose(&ada, &plans).await;
    act(&ada, &proposal, "apply", json!({})).await.status(200);
    for verb in ["trash", "purge"] {
        samples::command(&ada, plans[0]["file_id"].text(), verb, json!({})).await.await.status(200);
    }
    let refused = act(&ada, &proposal, "undo", json!({})).await.refused(409, "proposal_state");
    let said = refused["error"]["message"].text();
    assert!(said.contains("is gone") && !said.contains("Discard"), "{refused}");
    assert_eq!(all_blocks(&ada, &plans[1..]).await, [2]);
}

/// A command that began before the end runs after the sweep.
#[shared_testing::test]
async fn a_proposal_whose_contents_are_swept_is_expired_and_rebased() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let plans = planned(&ada, 3).await;
    let proposal = propose(&ada, &plans[..2]).await;
    stage.clock.advance(Duration::from_secs(899));
    sweep::CONTENTS.run(&stage.context.db, stage.now().plus(Duration::from_secs(1))).await.expect("swept");
    let late = planned(&ada, 1).await;
    for (step, body) in [
        ("request-review", json!({})),
        ("apply", json!({})),
        ("plans", json!({"remove": [plans[0]["id"]]})),
        ("plans", json!({"add": named(&late)})),
    ] {
        let refused = act(&ada, &proposal, step, body).await.refused(409, "plan_expired");
        assert!(refused.leads_to("rebase").ends_with(&format!("/{}/rebase", proposal["id"].text())), "{refused}");
    }
    let rebased = act(&ada, &proposal, "rebase", json!({})).await.status(200)["proposal"].clone();
    act(&ada, &rebased, "apply", json!({})).await.status(200);
    assert_eq!(all_blocks(&ada, &plans).await, [2, 2, 1]);
}
