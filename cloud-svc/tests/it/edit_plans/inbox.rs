//! `GET /v1/edit-plans`.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Response, Stage, Text as _};

use crate::samples::{self, apply, plan, step};

async fn list(caller: &Caller, query: &str) -> Response {
    caller.get(format!("/v1/edit-plans?{query}")).await.status(200)
}

/// The ids of the plans in a list.
async fn ids(caller: &Caller, query: &str) -> Vec<String> {
    let list = list(caller, query).await;
    list["items"].as_array().expect("items").iter().map(|plan| plan["id"].text().to_owned()).collect()
}

fn id(plan: &Value) -> String {
    plan["id"].text().to_owned()
}

async fn in_review(author: &Caller, file: &str, text: &str) -> Value {
    let plan = plan(author, file, text).await;
    step(author, &plan, "request-review", json!({})).await.status(200)["plan"].clone()
}

#[shared_testing::test]
async fn a_reviewer_finds_the_plans_that_wait_for_him() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let robot = stage.caller("robot").claim("actor", json!({"type": "agent", "id": "agent-7", "display_name": "R"}));
    let one = samples::id(&samples::document_of(&ada, &["one"]).await);
    let two = samples::id(&samples::document_of(&ada, &["two"]).await);
    let first = in_review(&ada, &one, "first").await;
    stage.clock.advance(Duration::from_secs(1));
    let second = in_review(&ada, &two, "second").await;
    stage.clock.advance(Duration::from_secs(1));
    let own = in_review(&bob, &one, "own").await;
    stage.clock.advance(Duration::from_secs(1));
    let proposed = plan(&ada, &one, "proposed").await;

    assert_eq!(ids(&bob, "for=me").await, [id(&second), id(&first)]);
    assert_eq!(ids(&bob, "for=me&state=in_review").await, [id(&second), id(&first)]);
    assert!(ids(&bob, "for=me&state=proposed").await.is_empty());
    assert_eq!(ids(&ada, "for=me").await, [id(&own)]);
    assert_eq!(ids(&ada, "for=mine").await, [id(&proposed), id(&second), id(&first)]);
    assert_eq!(ids(&ada, "for=mine&state=proposed").await, [id(&proposed)]);
    assert_eq!(ids(&bob, "").await, [id(&proposed), id(&own), id(&second), id(&first)]);
    // An agent may reject.
    assert_eq!(ids(&robot, "for=me").await.len(), 3);
    assert!(ids(&stage.caller("bob").scope("cloud.write"), "for=me").await.is_empty(), "without the scope to approve");

    let listed = list(&bob, "for=me&limit=1").await;
    let item = &listed["items"][0];
    assert_eq!(
        (&item["file_name"], &item["file_type"], &item["changes"]),
        (&json!("Plan"), &json!("document"), &Value::Null)
    );
    assert_eq!((&listed["has_more"], &listed["content_is_untrusted"]), (&json!(true), &json!(true)));
    let cursor = listed["next_cursor"].text();
    assert_eq!(ids(&bob, &format!("for=me&limit=5&cursor={cursor}")).await, [id(&first)]);
    for other in [&bob, &ada] {
        let query = if std::ptr::eq(other, &bob) { "for=all" } else { "for=me" };
        other.get(format!("/v1/edit-plans?{query}&cursor={cursor}")).await.refused(400, "invalid_cursor");
    }
    let approved = step(&bob, &first, "approve", json!({})).await.status(200);
    assert_eq!(ids(&bob, "state=approved").await, [id(&approved["plan"])]);
    assert_eq!(ids(&bob, "for=me").await, [id(&second)]);
    apply(&ada, &first).await.await.status(200);
    assert!(ids(&bob, "state=approved").await.is_empty());
    bob.get("/v1/edit-plans?for=you").await.refused(422, "invalid_field");
    bob.get("/v1/edit-plans?state=applied").await.refused(422, "invalid_field");
}

#[shared_testing::test]
async fn plans_for_hidden_files_of_others_and_expired_plans_are_not_listed() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let folder = samples::folder(&ada, "Folder", None).await;
    let inside = samples::document_in(&ada, "Inside", &folder).await;
    let outside = samples::id(&samples::document_of(&ada, &["one"]).await);
    let hidden = in_review(&ada, &inside, "hidden").await;
    let trashed = in_review(&ada, &outside, "trashed").await;
    assert_eq!(ids(&bob, "for=me").await.len(), 2);
    samples::command(&ada, &folder, "trash", json!({})).await.await.status(200);
    assert_eq!(ids(&bob, "for=me").await, [id(&trashed)]);
    samples::command(&ada, &outside, "trash", json!({})).await.await.status(200);
    assert!(ids(&bob, "").await.is_empty());
    samples::command(&ada, &folder, "restore", json!({})).await.await.status(200);
    assert_eq!(ids(&bob, "").await, [id(&hidden)]);
    assert!(ids(&stage.caller("zoe").workspace(2), "").await.is_empty(), "another workspace");
    stage.clock.advance(Duration::from_secs(604_800));
    assert!(ids(&stage.caller("bob"), "").await.is_empty());
}

#[shared_testing::test]
async fn pages_lead_to_what_waits_and_show_plans_of_others() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let waiting = in_review(&ada, &file, "first").await;
    let proposed = plan(&ada, &file, "second").await;
    let (adas, bobs) = (stage.browser(&ada), stage.browser(&bob));
    let path = |plan: &Value| format!("/f/{file}/plans/{}", plan["id"].text());
    let home = bobs.get("/w").await.status(200).body();
    shared_testing::html::assert_harmless(&home);
    assert!(home.contains("1 plan waits for your review"), "{home}");
    let count = "<span class=\"count\">1<span class=\"hidden\"> waiting</span></span>";
    assert!(home.contains(count), "every page says it in its header: {home}");
    assert!(!adas.get("/w").await.status(200).body().contains("for your review"), "her own");
    let page = bobs.get("/w/reviews").await.status(200).body();
    shared_testing::html::assert_harmless(&page);
    let links = shared_testing::html::links(&page);
    assert!(links.contains(&path(&waiting)) && !links.contains(&path(&proposed)), "{page}");
    let shown = bobs.get(format!("/f/{file}")).await.status(200).body();
    assert!(shown.contains(&path(&proposed)) && shown.contains("not in review"), "{shown}");
    // Stale: rejected or rebased, and not approved.
    let other = plan(&bob, &file, "third").await;
    apply(&bob, &other).await.await.status(200);
    let page = bobs.get(path(&waiting)).await.status(200).body();
    let offers = |action: &str| page.contains(&format!("name=\"action\" value=\"{action}\""));
    assert!(offers("reject") && offers("rebase") && !offers("approve"), "{page}");
}

#[shared_testing::test]
async fn the_plans_of_a_file_come_in_pages() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (one, other) =
        (samples::id(&samples::create(&ada, "One").await), samples::id(&samples::create(&ada, "Two").await));
    let mut proposed = Vec::new();
    for number in 0..5 {
        proposed.insert(0, id(&plan(&ada, &one, &number.to_string()).await));
        plan(&ada, &other, &number.to_string()).await;
        stage.clock.advance(Duration::from_secs(1));
    }
    let path = format!("/v1/files/{one}/edit-plans");
    let (mut listed, mut page) = (Vec::new(), format!("{path}?limit=2"));
    loop {
        let found = ada.get(&page).await.status(200);
        listed.extend(found["items"].as_array().expect("items").iter().map(id));
        let Some(cursor) = found["next_cursor"].as_str() else { break };
        assert_eq!(found["has_more"], true);
        ada.get(format!("/v1/files/{other}/edit-plans?cursor={cursor}")).await.refused(400, "invalid_cursor");
        page = format!("{path}?limit=2&cursor={cursor}");
    }
    assert_eq!(listed, proposed);
    samples::command(&ada, &one, "trash", json!({})).await.await.status(200);
    assert_eq!(ada.get(path).await.status(200)["items"].as_array().map(Vec::len), Some(5));
}

#[shared_testing::test]
async fn plans_of_one_instant_come_in_pages_each_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = samples::id(&samples::create(&ada, "One").await);
    let mut proposed = Vec::new();
    for number in 0..5 {
        proposed.push(id(&plan(&ada, &file, &number.to_string()).await));
    }
    proposed.sort_unstable_by(|one, other| other.cmp(one));
    for path in ["/v1/edit-plans?limit=2", &format!("/v1/files/{file}/edit-plans?limit=2")] {
        let listed: Vec<_> = samples::all(&ada, path).await.iter().map(id).collect();
        assert_eq!(listed, proposed, "{path}");
    }
}

#[shared_testing::test]
async fn a_page_of_plans_has_eight_megabytes_of_texts_at_most() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = samples::id(&samples::create(&ada, "One").await);
    for number in 0..3 {
        plan(&ada, &file, &number.to_string()).await;
    }
    for (bytes, shown) in [(2_000_000, 3), (4_000_000, 2), (5_000_000, 1), (9_000_000, 1)] {
        samples::sql(&stage, &format!("UPDATE edit_plans SET text_bytes = {bytes}")).await;
        let page = list(&ada, "limit=3").await;
        let seen = (page["items"].as_array().map(Vec::len), &page["has_more"]);
        assert_eq!(seen, (Some(shown), &json!(shown < 3)), "{bytes}");
        assert_eq!(samples::all(&ada, "/v1/edit-plans?limit=3").await.len(), 3);
    }
}

#[shared_testing::test]
async fn a_co_author_finds_a_plan_among_those_with_edits_of_theirs_and_not_to_review() {
    let stage = Stage::of(service()).await;
    let (ada, bob, carol) = (stage.caller("ada"), stage.caller("bob"), stage.caller("carol"));
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let older = in_review(&ada, &file, "older").await;
    stage.clock.advance(Duration::from_secs(1));
    let own = in_review(&bob, &file, "own").await;
    stage.clock.advance(Duration::from_secs(1));
    let block = json!({"type": "paragraph", "segments": [{"text": "also"}]});
    let edits = json!({"operations": [{"op": "insert_block", "block": block}]});
    let amended = step(&bob, &plan(&ada, &file, "newer").await, "amend", edits).await.status(200)["plan"].clone();
    step(&bob, &amended, "request-review", json!({})).await.status(200);

    // A page that is not full would hide the next one.
    let page = list(&bob, "for=me&limit=1").await;
    assert_eq!((id(&page["items"][0]), &page["has_more"]), (id(&older), &json!(false)));
    assert_eq!(ids(&bob, "for=mine").await, [id(&amended), id(&own)]);
    assert_eq!(ids(&bob, "for=mine&limit=1").await, [id(&amended)]);
    assert_eq!(ids(&ada, "for=me").await, [id(&own)]);
    assert_eq!(ids(&ada, "for=mine").await, [id(&amended), id(&older)]);
    assert_eq!(ids(&carol, "for=me").await, [id(&amended), id(&own), id(&older)]);
    assert!(ids(&carol, "for=mine").await.is_empty());
}

#[shared_testing::test]
async fn nothing_waits_for_an_agent_that_may_only_propose() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let robot = crate::agents::agent(&stage, "robot", 1).await;
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let waiting = in_review(&ada, &file, "first").await;
    assert_eq!(ids(&robot, "for=me").await, [id(&waiting)]);
    crate::agents::limit(&ada, &robot, json!({"may": "propose"})).await.status(200);
    step(&robot, &waiting, "reject", json!({"reason": "No."})).await.refused(403, "agent_limited");
    assert!(ids(&robot, "for=me").await.is_empty());
    assert_eq!(ids(&robot, "for=all").await, [id(&waiting)]);
}
