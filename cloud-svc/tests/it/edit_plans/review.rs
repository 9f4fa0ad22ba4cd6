//! Reviews of plans: requested, approved, rejected; and workspaces in which agents need a review.

use std::time::Duration;

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Caller, Stage, Text as _};

use crate::samples::{self, apply, plan, step};

fn agent(stage: &Stage) -> Caller {
    let actor = json!({"type": "agent", "id": "agent-7", "display_name": "Agent"});
    stage.caller("agent").claim("actor", actor)
}

#[shared_testing::test]
async fn a_plan_that_somebody_else_approved_is_applied_once() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = plan(&ada, &id, "two").await;
    step(&bob, &plan, "approve", json!({})).await.refused(409, "plan_state");
    let asked = step(&ada, &plan, "request-review", json!({"note": "Please."})).await.status(200);
    assert_eq!((&asked["plan"]["state"], &asked["plan"]["review"]["note"]), (&json!("in_review"), &json!("Please.")));
    apply(&ada, &plan).await.await.refused(403, "approval_required");
    step(&ada, &plan, "request-review", json!({})).await.refused(409, "plan_state");
    step(&ada, &plan, "approve", json!({})).await.refused(403, "self_approval");
    step(&ada, &plan, "reject", json!({"reason": "No."})).await.refused(403, "self_approval");
    let seen = bob.get(format!("/v1/files/{id}/edit-plans")).await.status(200);
    assert_eq!(seen["items"][0]["id"], plan["id"], "the reviewer finds it");
    stage.clock.advance(Duration::from_secs(604_700));
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let approved = step(&bob, &plan, "approve", json!({})).await.status(200);
    assert_eq!(
        (&approved["plan"]["state"], &approved["plan"]["review"]["by"]["id"]),
        (&json!("approved"), &json!("bob"))
    );
    step(&bob, &plan, "approve", json!({})).await.refused(409, "plan_state");
    apply(&ada, &plan).await.await.status(200);
    apply(&ada, &plan).await.await.refused(409, "plan_already_applied");
    step(&bob, &plan, "approve", json!({})).await.refused(409, "plan_already_applied");
}

#[shared_testing::test]
async fn a_plan_that_somebody_else_rejected_is_never_applied() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = plan(&ada, &id, "two").await;
    step(&ada, &plan, "request-review", json!({})).await.status(200);
    let rejected = step(&bob, &plan, "reject", json!({"reason": "Not now."})).await.status(200);
    assert_eq!(rejected["plan"]["review"]["reason"], "Not now.");
    apply(&ada, &plan).await.await.refused(409, "plan_rejected");
}

#[shared_testing::test]
async fn a_review_expires() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = plan(&ada, &id, "two").await;
    step(&ada, &plan, "request-review", json!({})).await.status(200);
    stage.clock.advance(Duration::from_secs(604_800));
    step(&stage.caller("bob"), &plan, "approve", json!({})).await.refused(409, "plan_expired");
}

#[shared_testing::test]
async fn a_verdict_needs_the_scope_to_approve() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").scope("cloud.write"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = plan(&ada, &id, "two").await;
    step(&ada, &plan, "request-review", json!({})).await.status(200);
    step(&bob, &plan, "approve", json!({})).await.refused(403, "insufficient_scope");
    let proposer = stage.caller("carol").scope("cloud.propose");
    samples::plan(&proposer, &id, "three").await;
    apply(&proposer, &plan).await.await.refused(403, "insufficient_scope");
}

#[shared_testing::test]
async fn a_workspace_can_require_reviews_of_agents() {
    let stage = Stage::of(service()).await;
    let (ada, agent) = (stage.caller("ada"), agent(&stage));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    apply(&agent, &plan(&agent, &id, "two").await).await.await.status(200);
    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'review'").await;
    apply(&ada, &plan(&ada, &id, "three").await).await.await.status(200);
    let plan = plan(&agent, &id, "four").await;
    let reported = apply(&agent, &plan).await.await.refused(403, "approval_required");
    let href = reported["error"]["next_action"]["href"].text();
    assert!(href.ends_with(&format!("{}/request-review", plan["id"].text())), "{href}");
    let versions = ada.get(format!("/v1/files/{id}/versions")).await.status(200);
    let first = format!("versions/{}/restore", versions["items"][2]["id"].text());
    samples::command(&agent, &id, &first, json!({})).await.await.refused(403, "approval_required");
    step(&agent, &plan, "request-review", json!({})).await.status(200);
    step(&ada, &plan, "approve", json!({})).await.status(200);
    apply(&agent, &plan).await.await.status(200);
}

#[shared_testing::test]
async fn the_steps_of_a_plan_are_for_those_whom_the_rules_name() {
    let stage = Stage::of(service()).await;
    let (ada, bob, robot) = (stage.caller("ada"), stage.caller("bob"), agent(&stage));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let reason = || json!({"reason": "No."});
    // (step, body, its author, another person, an agent)
    let rules = [
        ("request-review", json!({}), None, Some("not_plan_author"), Some("not_plan_author")),
        ("approve", json!({}), Some("self_approval"), None, Some("person_required")),
        ("reject", reason(), Some("self_approval"), None, None),
        ("discard", json!({}), None, Some("not_plan_author"), Some("not_plan_author")),
    ];
    for (verb, body, by_author, by_other, by_agent) in rules {
        for (actor, refused) in [(&ada, by_author), (&bob, by_other), (&robot, by_agent)] {
            // Each time another text: the same proposal would join an open plan.
            let plan = plan(&ada, &id, &format!("{verb} {refused:?}")).await;
            if matches!(verb, "approve" | "reject") {
                step(&ada, &plan, "request-review", json!({})).await.status(200);
            }
            let answer = step(actor, &plan, verb, body.clone()).await;
            match refused {
                None => drop(answer.status(200)),
                Some(code) => {
                    let refused = answer.refused(403, code);
                    assert_eq!(refused["error"]["next_action"]["type"], "other_actor");
                }
            }
        }
    }
}

#[shared_testing::test]
async fn an_agent_does_not_apply_what_agents_approved() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage));
    let second = stage.caller("ada").claim("actor", json!({"type": "agent", "id": "agent-8", "display_name": "B"}));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'review'").await;
    let plan = plan(&robot, &id, "two").await;
    apply(&robot, &plan).await.await.refused(403, "approval_required");
    step(&robot, &plan, "request-review", json!({})).await.status(200);
    step(&second, &plan, "approve", json!({})).await.refused(403, "person_required");
    apply(&second, &plan).await.await.refused(403, "approval_required");
    apply(&robot, &plan).await.await.refused(403, "approval_required");
}

#[shared_testing::test]
async fn a_discarded_plan_is_in_the_feed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = plan(&ada, &id, "two").await;
    step(&ada, &plan, "discard", json!({})).await.status(200);
    let discarded = "SELECT count(*) AS number FROM changes WHERE type = 'plan.discarded'";
    assert_eq!(samples::number(&stage, discarded).await, 1);
}

#[shared_testing::test]
async fn an_agent_makes_no_domain_known() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let link = json!({"type": "paragraph", "segments": [{"text": "Click", "link": "https://evil.example/"}]});
    let file = json!({"name": "Links", "content": {"kind": "docs", "blocks": [
        {"id": "new", "type": "paragraph", "segments": [{"text": "Click", "link": "https://evil.example/"}]}]}});
    robot.post("/v1/documents").fresh_key().json(file).await.status(200);
    let insert = json!([{"op": "insert_block", "block": link}]);
    let plan = samples::propose(&robot, &id, insert.clone()).await.await.status(200)["plan"].clone();
    assert_eq!(plan["warnings"][0]["severity"], "high", "{plan}");
    apply(&robot, &plan).await.await.refused(403, "approval_required");
    // A person who approves it makes the domain known.
    step(&robot, &plan, "request-review", json!({})).await.status(200);
    step(&ada, &plan, "approve", json!({})).await.status(200);
    apply(&robot, &plan).await.await.status(200);
    let plan = samples::propose(&robot, &id, insert).await.await.status(200)["plan"].clone();
    assert_eq!(plan["warnings"][0]["severity"], "low", "{plan}");
}

#[shared_testing::test]
async fn agents_review_only_where_the_workspace_lets_them_and_never_agents_of_their_owner() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let of = |owner: &str, id: &str| {
        stage.caller(owner).claim("actor", json!({"type": "agent", "id": id, "display_name": id}))
    };
    let (hers, also_hers, bobs) = (of("ada", "agent-1"), of("ada", "agent-2"), of("bob", "agent-3"));
    let service = stage.caller("eve").claim("actor", json!({"type": "service", "id": "s", "display_name": "S"}));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'review', agents_may_review = TRUE").await;
    // (author, reviewer, what refuses)
    let cases = [
        (&hers, &also_hers, Some("person_required")),
        (&hers, &hers, Some("self_approval")),
        (&hers, &service, Some("person_required")),
        (&hers, &ada, None),
        (&hers, &bobs, None),
        (&ada, &hers, Some("person_required")),
        (&ada, &bobs, None),
    ];
    for (number, (author, reviewer, refused)) in cases.into_iter().enumerate() {
        let plan = plan(author, &id, &number.to_string()).await;
        step(author, &plan, "request-review", json!({})).await.status(200);
        let answer = step(reviewer, &plan, "approve", json!({})).await;
        match refused {
            Some(code) => drop(answer.refused(403, code)),
            None => drop(answer.status(200)),
        }
    }
    // The right to approve is taken back: what agents have approved no longer counts.
    let plan = plan(&hers, &id, "last").await;
    step(&hers, &plan, "request-review", json!({})).await.status(200);
    step(&bobs, &plan, "approve", json!({})).await.status(200);
    // No agent applies what nobody but itself has approved.
    let alone = apply(&bobs, &plan).await.await.refused(403, "approval_required");
    assert_eq!(alone["error"]["next_action"]["type"], "other_actor", "{alone}");
    samples::sql(&stage, "UPDATE workspaces SET agents_may_review = FALSE").await;
    apply(&hers, &plan).await.await.refused(403, "approval_required");
    samples::sql(&stage, "UPDATE workspaces SET agents_may_review = TRUE").await;
    // An agent's approval is not carried to a rebase.
    let other = samples::plan(&ada, &id, "other").await;
    apply(&ada, &other).await.await.status(200);
    let etag = samples::etag(&hers, &id).await;
    let rebased = step(&hers, &plan, "rebase", json!({})).header("if-match", etag).await.status(200);
    assert_eq!(rebased["plan"]["state"], "in_review");
}

#[shared_testing::test]
async fn an_approval_is_taken_back_until_the_plan_is_applied() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    for (verb, refused) in [("return", "plan_state"), ("reject", "plan_rejected")] {
        let plan = plan(&ada, &id, verb).await;
        step(&ada, &plan, "request-review", json!({})).await.status(200);
        step(&bob, &plan, "approve", json!({})).await.status(200);
        step(&ada, &plan, verb, json!({"reason": "Mine."})).await.refused(403, "self_approval");
        let taken_back = step(&bob, &plan, verb, json!({"reason": "A mistake."})).await.status(200);
        assert_eq!(taken_back["plan"]["review"]["reason"], "A mistake.");
        let answer = apply(&ada, &plan).await.await;
        assert_eq!((answer.status, answer["error"]["code"].text()), (409, refused), "{answer}");
    }
    let plan = plan(&ada, &id, "applied").await;
    step(&ada, &plan, "request-review", json!({})).await.status(200);
    step(&bob, &plan, "approve", json!({})).await.status(200);
    apply(&ada, &plan).await.await.status(200);
    step(&bob, &plan, "reject", json!({"reason": "Late."})).await.refused(409, "plan_already_applied");
}

#[shared_testing::test]
async fn a_domain_is_known_only_after_a_person_has_seen_the_link() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let robot = crate::agents::agent(&stage, "robot", 1).await;
    let linked =
        |text: &str| json!({"type": "paragraph", "segments": [{"text": text, "link": "https://far.example/"}]});
    // An agent may create what it likes, in a file of its own.
    let block = |id: &str, mut block: serde_json::Value| {
        block["id"] = json!(id);
        block
    };
    let plain = |text: &str| json!({"type": "paragraph", "segments": [{"text": text}]});
    let content = json!({"kind": "docs", "blocks": [block("a", linked("far")), block("b", plain("one"))]});
    let own = json!({"name": "Own", "content": content});
    let own = samples::id(&robot.post("/v1/documents").fresh_key().json(own).await.status(200));
    let others = samples::id(&samples::document_of(&ada, &["one"]).await);
    let severity = async |text: &str| {
        let insert = json!([{"op": "insert_block", "after_id": "b0", "block": linked(text)}]);
        let plan = samples::propose(&robot, &others, insert).await.await.status(200)["plan"].clone();
        let warnings = plan["warnings"].as_array().expect("warnings").clone();
        warnings.iter().find(|warning| warning["code"] == "link_added").expect("a warning")["severity"].clone()
    };
    assert_eq!(severity("1").await, "high");
    let replace = |id: &str, block: serde_json::Value| json!([{"op": "replace_block", "block_id": id, "block": block}]);
    // A person approves, and another writes, other words of that file.
    let plan = samples::propose(&robot, &own, replace("b", plain("two"))).await.await.status(200)["plan"].clone();
    step(&robot, &plan, "request-review", json!({})).await.status(200);
    step(&bob, &plan, "approve", json!({})).await.status(200);
    apply(&robot, &plan).await.await.status(200);
    let plan = samples::propose(&ada, &own, replace("b", plain("three"))).await.await.status(200)["plan"].clone();
    apply(&ada, &plan).await.await.status(200);
    // A person promotes a draft with the link that is there already.
    let content = json!({"kind": "docs", "blocks": [block("a", linked("far")), block("b", plain("three and a half"))]});
    let draft = json!({"type": "document", "name": "Draft", "content": content});
    let draft = ada.post("/v1/scratch").fresh_key().json(draft).await.status(200)["draft"]["id"].text().to_owned();
    let promote = ada.post(format!("/v1/scratch/{draft}/promote")).fresh_key();
    let promote = promote.header("if-match", samples::etag(&ada, &own).await);
    promote.json(json!({"file_id": own})).await.status(200);
    assert_eq!(severity("2").await, "high");
    // A person converts an upload with the link, which an agent may have written.
    let upload = crate::uploads::named(&robot, "Minutes.md", b"[far](https://far.example/)").await;
    ada.post(format!("/v1/files/{upload}/convert")).fresh_key().json(json!({})).await.status(200);
    assert_eq!(severity("3").await, "high");
    // A person writes such a link.
    let plan = samples::propose(&ada, &own, replace("b", linked("four"))).await.await.status(200)["plan"].clone();
    apply(&ada, &plan).await.await.status(200);
    assert_eq!(severity("4").await, "low");
}
