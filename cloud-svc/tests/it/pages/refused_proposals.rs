//! Steps of a proposal that are refused on its page, and what the page says then.

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Stage, Text as _, html};

use super::proposals::{Scene, offered, scene};
use crate::samples;

#[shared_testing::test]
async fn a_rejection_without_a_reason_is_asked_again() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let bobs = stage.browser(&bob);
    let scene = scene(&ada).await;
    scene.step(&ada, "request-review", json!({})).await;
    for blank in ["", " \r\n "] {
        let page = scene.page(&bobs).await;
        let refused = scene.decide(&bobs, &page, "reject", &[("reason", blank)]).await.status(422);
        assert_eq!(offered(&refused), ["approve", "reject"]);
        assert!(refused.body().contains("reason must not be empty"), "{refused}");
    }
    assert_eq!(scene.state(&ada).await, "in_review");
}

#[shared_testing::test]
async fn an_undo_that_is_refused_names_the_file_and_is_not_offered_again() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let adas = stage.browser(&ada);
    let scene = scene(&ada).await;
    scene.step(&ada, "apply", json!({"proposal_sha256": scene.proposal["proposal_sha256"]})).await;
    let page = scene.page(&adas).await;
    scene.change_first(&ada).await;
    let refused = scene.decide(&adas, &page, "undo", &[]).await.status(409);
    html::assert_harmless(&refused.body());
    let said = "<bdi>Prices</bdi>: The file has changed since the proposal was applied.";
    assert!(refused.body().contains(said) && offered(&refused).is_empty(), "{refused}");
}

#[shared_testing::test]
async fn a_file_in_the_trash_is_named_and_no_form_is_offered_that_would_fail() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let scene = scene(&ada).await;
    scene.step(&ada, "request-review", json!({})).await;
    samples::command(&ada, &scene.files[1], "trash", json!({})).await.await.status(200);
    let page = scene.page(&stage.browser(&bob)).await;
    assert!(offered(&page).is_empty(), "{page}");
    let body = page.body();
    assert!(
        body.contains("<bdi>Letter</bdi> is in the trash.") && !body.contains("These files have changed"),
        "{body}"
    );
    assert_eq!(offered(&scene.page(&stage.browser(&ada)).await), ["discard"]);
}

#[shared_testing::test]
async fn a_conflict_says_how_the_proposal_can_end() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let adas = stage.browser(&ada);
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let edit = |text: &str| {
        let block = json!({"type": "paragraph", "segments": [{"text": text}]});
        json!([{"op": "replace_block", "block_id": "b0", "block": block}])
    };
    let mine = samples::propose(&ada, &file, edit("mine")).await.await.status(200)["plan"].clone();
    let theirs = samples::propose(&ada, &file, edit("theirs")).await.await.status(200)["plan"].clone();
    let body = json!({"title": "Mine", "plans": [{"file_id": file, "plan_id": mine["id"]}]});
    let proposal = ada.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"].clone();
    let path = format!("/w/proposals/{}", proposal["id"].text());
    let scene = Scene { files: [file.clone(), file.clone()], proposal, path };
    samples::apply(&ada, &theirs).await.await.status(200);
    let refused = scene.decide(&adas, &scene.page(&adas).await, "rebase", &[]).await.status(409);
    html::assert_harmless(&refused.body());
    assert!(refused.body().contains("Its author can discard the proposal"), "{refused}");
    assert!(!refused.body().contains("A reviewer can reject it."), "nobody can before a review: {refused}");
    assert!(!refused.body().contains(&format!("{file}: ")), "the name is there, and not the id: {refused}");
}
