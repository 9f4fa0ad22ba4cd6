//! Plans that a reviewer sends back, their next revisions, and amendments.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use crate::samples::{self, apply, plan, propose, step};

fn agent(stage: &Stage) -> Caller {
    let actor = json!({"type": "agent", "id": "agent-7", "display_name": "Agent"});
    stage.caller("agent").claim("actor", actor)
}

fn insert(text: &str) -> Value {
    json!([{"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": text}]}}])
}

async fn revise(caller: &Caller, plan: &Value, text: &str) -> shared_testing::Request {
    let etag = samples::etag(caller, plan["file_id"].text()).await;
    step(caller, plan, "revise", json!({"operations": insert(text), "note": "As you said."})).header("if-match", etag)
}

#[shared_testing::test]
async fn a_plan_goes_back_with_words_and_comes_again_as_the_next_revision() {
    let stage = Stage::of(service()).await;
    let (agent, bob) = (agent(&stage), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&bob, &["one"]).await);
    let first = plan(&agent, &id, "figures of 2024").await;
    let words = json!({"reason": "Use this year's.", "on": [{"change": "c1", "text": "This one."}]});
    step(&bob, &first, "return", words.clone()).await.refused(409, "plan_state");
    step(&agent, &first, "request-review", json!({})).await.status(200);
    let unknown = json!({"reason": "No.", "on": [{"change": "c2", "text": "?"}]});
    step(&bob, &first, "return", unknown).await.refused(422, "invalid_field");
    step(&agent, &first, "return", words.clone()).await.refused(403, "self_approval");
    let returned = step(&bob, &first, "return", words.clone()).await.status(200)["plan"].clone();
    assert_eq!(returned["state"], "returned");
    assert_eq!((&returned["review"]["reason"], &returned["review"]["on"]), (&words["reason"], &words["on"]));

    for verb in ["approve", "reject", "return"] {
        let body = if verb == "approve" { json!({}) } else { json!({"reason": "No."}) };
        step(&bob, &first, verb, body).await.refused(409, "plan_state");
    }
    apply(&bob, &first).await.await.refused(409, "plan_state");
    step(&agent, &first, "request-review", json!({})).await.refused(409, "plan_state");
    let mine = agent.get("/v1/edit-plans?for=mine&state=returned").await.status(200);
    assert_eq!(mine["items"][0]["id"], first["id"]);

    revise(&bob, &first, "mine").await.await.refused(403, "not_plan_author");
    let second = revise(&agent, &first, "figures of 2026").await.await.status(200)["plan"].clone();
    assert_eq!((&second["revision"], &second["state"]), (&json!(2), &json!("in_review")));
    assert_eq!(
        (&second["derived_from"]["plan_id"], &second["derived_from"]["how"]),
        (&first["id"], &json!("revision"))
    );
    assert_eq!(second["review"]["note"], "As you said.");
    let again = revise(&agent, &first, "figures of 2026").await.await.status(200);
    assert_eq!((&again["plan"]["id"], &again["joined"]), (&second["id"], &json!(true)));
    let refused = revise(&agent, &first, "others").await.await.refused(409, "plan_discarded");
    let newer = agent.get(refused.leads_to("refresh")).await.status(200)["plan"].clone();
    assert_eq!(newer["id"], second["id"], "the refusal leads to the next revision");
    let first_plan = agent.get(format!("/v1/files/{id}/edit-plans/{}", first["id"].text())).await.status(200);
    assert_eq!(first_plan["plan"]["superseded_by"], second["id"]);

    let path = format!("/v1/files/{id}/edit-plans/{}/compare?with={}", first["id"].text(), second["id"].text());
    let difference = bob.get(path).await.status(200);
    let changes = difference["changes"].as_array().expect("changes");
    let words: Vec<_> = changes.iter().map(|change| change["kind"].text()).collect();
    assert_eq!(words, ["delete", "insert"], "the blocks have other ids");
    let path = format!("/v1/files/{id}/edit-plans/{}/compare?with=plan_{}", first["id"].text(), "0".repeat(32));
    bob.get(path).await.refused(404, "not_found").problems_at(&["with"]);

    step(&bob, &second, "approve", json!({})).await.status(200);
    apply(&agent, &second).await.await.status(200);
}

#[shared_testing::test]
async fn the_feed_and_the_inbox_tell_that_a_plan_was_sent_back() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let from = ada.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
    let first = plan(&ada, &id, "two").await;
    step(&ada, &first, "request-review", json!({})).await.status(200);
    step(&bob, &first, "return", json!({"reason": "No."})).await.status(200);
    let second = revise(&ada, &first, "three").await.await.status(200)["plan"].clone();
    let page = bob.get(format!("/v1/changes?cursor={from}")).await.status(200);
    let changes: Vec<_> = page["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|change| (change["type"].text(), &change["plan_id"]))
        .collect();
    assert_eq!(
        changes,
        [
            ("plan.review_requested", &first["id"]),
            ("plan.returned", &first["id"]),
            ("plan.review_requested", &second["id"]),
            ("plan.discarded", &first["id"]),
        ]
    );
    let waiting = bob.get("/v1/edit-plans?for=me").await.status(200);
    assert_eq!(waiting["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(waiting["items"][0]["id"], second["id"]);
}

#[shared_testing::test]
async fn an_amended_plan_is_of_both_authors_and_neither_approves_it() {
    let stage = Stage::of(service()).await;
    let (agent, bob, carol) = (agent(&stage), stage.caller("bob"), stage.caller("carol"));
    let id = samples::id(&samples::document_of(&bob, &["one"]).await);
    let first = plan(&agent, &id, "two").await;
    step(&agent, &first, "request-review", json!({})).await.status(200);
    let mistake = json!({"operations": [{"op": "delete_block", "block_id": "nowhere"}]});
    let refused = step(&bob, &first, "amend", mistake).await.refused(422, "block_not_found");
    assert!(refused["error"]["message"].text().contains("/operations/0/block_id"), "{refused:?}");
    let edits = json!({"operations": insert("three")});
    step(&stage.caller("dan").scope("cloud.propose"), &first, "amend", edits.clone())
        .await
        .refused(403, "insufficient_scope");
    let amended = step(&bob, &first, "amend", edits.clone()).await.status(200)["plan"].clone();
    assert_eq!((&amended["actor"]["id"], &amended["co_authors"][0]["id"]), (&json!("agent-7"), &json!("bob")));
    assert_eq!(amended["operations"], 2);
    let again = step(&bob, &first, "amend", edits).await.status(200);
    assert_eq!((&again["plan"]["id"], &again["joined"]), (&amended["id"], &json!(true)));
    step(&carol, &first, "approve", json!({})).await.refused(409, "plan_discarded");

    step(&bob, &amended, "request-review", json!({})).await.status(200);
    step(&bob, &amended, "approve", json!({})).await.refused(403, "self_approval");
    step(&carol, &amended, "approve", json!({})).await.status(200);
    apply(&agent, &amended).await.await.status(200);
    let path = format!("/v1/files/{id}/edit-plans/{}/receipt", amended["id"].text());
    let receipts = bob.get(path).await.status(200);
    let statement = &receipts["receipts"][1]["statement"];
    assert_eq!(
        (&statement["derived_from"], &statement["co_authors"]),
        (&first["id"], &json!([{"type": "user", "id": "bob"}]))
    );
    let document = bob.get(format!("/v1/documents/{id}")).await.status(200);
    assert_eq!(document["content"]["blocks"].as_array().map(Vec::len), Some(3));
}

#[shared_testing::test]
async fn agents_that_may_not_approve_do_not_amend_an_approved_plan() {
    let stage = Stage::of(service()).await;
    let (ada, bob, carol) = (stage.caller("ada"), stage.caller("bob"), stage.caller("carol"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let first = plan(&ada, &id, "two").await;
    step(&ada, &first, "request-review", json!({})).await.status(200);
    step(&bob, &first, "approve", json!({})).await.status(200);
    let edits = json!({"operations": insert("three")});
    step(&agent(&stage), &first, "amend", edits.clone()).await.refused(403, "person_required");
    let amended = step(&carol, &first, "amend", edits).await.status(200)["plan"].clone();
    assert_eq!((&amended["state"], &amended["review"]), (&json!("proposed"), &Value::Null));
}

#[shared_testing::test]
async fn a_rebase_keeps_both_authors() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let first = plan(&ada, &id, "two").await;
    let amended = step(&bob, &first, "amend", json!({"operations": insert("three")})).await.status(200)["plan"].clone();
    let edit =
        json!([{"op": "replace_block", "block_id": "b0", "block": {"type": "paragraph", "segments": [{"text": "1"}]}}]);
    let other = propose(&ada, &id, edit).await.await.status(200)["plan"].clone();
    apply(&ada, &other).await.await.status(200);
    step(&bob, &amended, "amend", json!({"operations": insert("four")})).await.refused(403, "self_approval");
    let etag = samples::etag(&ada, &id).await;
    let rebased = step(&ada, &amended, "rebase", json!({})).header("if-match", etag).await.status(200)["plan"].clone();
    assert_eq!(rebased["co_authors"][0]["id"], "bob");
    step(&ada, &rebased, "request-review", json!({})).await.status(200);
    step(&bob, &rebased, "approve", json!({})).await.refused(403, "self_approval");
}

#[shared_testing::test]
async fn a_returned_plan_leads_to_no_rebase_when_it_is_old() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let first = plan(&ada, &id, "two").await;
    step(&ada, &first, "request-review", json!({})).await.status(200);
    step(&bob, &first, "return", json!({"reason": "No."})).await.status(200);
    apply(&bob, &plan(&bob, &id, "other").await).await.await.status(200);
    let is_plan = |refused: shared_testing::Response| {
        let href = refused.refused(409, "plan_state").leads_to("refresh");
        assert!(href.ends_with(&format!("/edit-plans/{}", first["id"].text())), "{href}");
    };
    // With the tag that fits the plan, and not the file.
    let old = first["base_etag"].text();
    is_plan(ada.post(first["apply_url"].text()).fresh_key().header("if-match", old).json(json!({})).await);
    is_plan(step(&bob, &first, "split", json!({"changes": ["c1"]})).await);
    is_plan(step(&bob, &first, "amend", json!({"operations": insert("three")})).await);
    stage.clock.advance(std::time::Duration::from_secs(604_800));
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    is_plan(apply(&ada, &first).await.await);
    is_plan(step(&ada, &first, "request-review", json!({})).await);
    is_plan(step(&bob, &first, "approve", json!({})).await);
    is_plan(step(&bob, &first, "split", json!({"changes": ["c1"]})).await);
    revise(&ada, &first, "three").await.await.status(200);
}

#[shared_testing::test]
async fn nobody_amends_a_plan_that_waits_for_its_author() {
    let stage = Stage::of(service()).await;
    let (ada, bob, carol) = (stage.caller("ada"), stage.caller("bob"), stage.caller("carol"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let first = plan(&ada, &id, "two").await;
    step(&ada, &first, "request-review", json!({})).await.status(200);
    step(&bob, &first, "return", json!({"reason": "No."})).await.status(200);
    let edits = json!({"operations": insert("three")});
    let refused = step(&carol, &first, "amend", edits).await.refused(409, "plan_state");
    let plan = ada.get(refused.leads_to("refresh")).await.status(200)["plan"].clone();
    assert_eq!((&plan["id"], &plan["state"]), (&first["id"], &json!("returned")));
}

#[shared_testing::test]
async fn a_revision_by_a_co_author_is_the_work_of_the_co_author() {
    let stage = Stage::of(service()).await;
    let (agent, bob, carol) = (agent(&stage), stage.caller("bob"), stage.caller("carol"));
    let id = samples::id(&samples::document_of(&bob, &["one"]).await);
    let first = plan(&agent, &id, "two").await;
    let amended = step(&bob, &first, "amend", json!({"operations": insert("three")})).await.status(200)["plan"].clone();
    step(&bob, &amended, "request-review", json!({})).await.status(200);
    step(&carol, &amended, "return", json!({"reason": "Shorter."})).await.status(200);
    let by = |plan: &Value| {
        let others = plan["co_authors"].as_array().expect("co-authors").iter();
        (plan["actor"]["id"].clone(), others.map(|other| other["id"].clone()).collect::<Vec<_>>())
    };
    let second = revise(&bob, &amended, "2").await.await.status(200)["plan"].clone();
    assert_eq!(by(&second), (json!("bob"), vec![json!("agent-7")]));
    let again = revise(&bob, &amended, "2").await.await.status(200);
    assert_eq!((&again["joined"], &again["plan"]["id"]), (&json!(true), &second["id"]));
    let third = revise(&agent, &second, "3").await.await.status(200)["plan"].clone();
    assert_eq!(by(&third), (json!("agent-7"), vec![json!("bob")]));
    step(&bob, &third, "approve", json!({})).await.refused(403, "self_approval");
    step(&carol, &third, "approve", json!({})).await.status(200);
    apply(&agent, &third).await.await.status(200);
    let path = format!("/v1/files/{id}/edit-plans/{}/receipt", third["id"].text());
    let receipts = bob.get(path).await.status(200);
    assert_eq!(receipts["receipts"][1]["statement"]["author"]["id"], "agent-7");
}
