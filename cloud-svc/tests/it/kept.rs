//! What clients make the service keep counts against the workspace's quota, and only as long as it is kept.

use std::time::Duration;

use cloud_svc::{edits::plans::sweep, service};
use serde_json::{Value, json};
use shared_testing::{Caller, Stage};

use crate::samples::{self, step};

async fn used(caller: &Caller) -> i64 {
    let response = caller.get("/v1/workspaces").await.status(200);
    response["workspaces"][0]["storage_used_bytes"].as_i64().expect("a number")
}

/// What the plans of a file keep: their contents, and their texts.
async fn kept(stage: &Stage) -> (i64, i64) {
    let contents = "SELECT CAST(coalesce(sum(octet_length(content)), 0) AS BIGINT) AS number FROM edit_plans";
    let texts =
        "SELECT CAST(sum(octet_length(operations) + octet_length(preview)) AS BIGINT) AS number FROM edit_plans";
    (samples::number(stage, contents).await, samples::number(stage, texts).await)
}

#[shared_testing::test]
async fn a_plan_counts_until_its_rows_are_gone() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let before = used(&ada).await;
    let applied = samples::plan(&ada, &id, "two").await;
    let (content, texts) = kept(&stage).await;
    assert_eq!(used(&ada).await, before + content + texts);
    samples::apply(&ada, &applied).await.await.status(200);
    assert_eq!(used(&ada).await, before + content + texts, "the version has taken the content over");

    let discarded = samples::plan(&ada, &id, "three").await;
    step(&ada, &discarded, "discard", json!({})).await.status(200);
    let expired = samples::plan(&ada, &id, "four").await;
    let (waiting, texts) = kept(&stage).await;
    assert_eq!(used(&ada).await, before + content + waiting + texts, "a discarded plan keeps its texts only");
    stage.clock.advance(Duration::from_secs(901));
    sweep::CONTENTS.run(&stage.context.db, stage.now()).await.expect("swept");
    let ada = stage.caller("ada");
    assert_eq!(used(&ada).await, before + content + texts);
    stage.clock.advance(Duration::from_secs(31 * 86_400));
    sweep::PLANS.run(&stage.context.db, stage.now()).await.expect("swept");
    let ada = stage.caller("ada");
    assert_eq!((stage.count("edit_plans"), used(&ada).await), (0, before + content));
    drop(expired);
}

#[shared_testing::test]
async fn a_plan_that_is_rejected_or_returned_keeps_its_texts_only() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let before = used(&ada).await;
    for verb in ["reject", "return"] {
        let plan = samples::plan(&ada, &id, verb).await;
        step(&ada, &plan, "request-review", json!({})).await.status(200);
        assert!(kept(&stage).await.0 > 0);
        step(&bob, &plan, verb, json!({"reason": "No."})).await.status(200);
        let (contents, texts) = kept(&stage).await;
        assert_eq!((contents, used(&ada).await), (0, before + texts), "{verb}");
        if verb == "return" {
            // Its author needs nothing of it.
            let block = json!({"type": "paragraph", "segments": [{"text": "Other."}]});
            let body = json!({"operations": [{"op": "insert_block", "block": block}]});
            let etag = samples::etag(&ada, &id).await;
            step(&ada, &plan, "revise", body).header("if-match", etag).await.status(200);
            let (contents, texts) = kept(&stage).await;
            assert_eq!(used(&ada).await, before + contents + texts);
        }
    }
}

#[shared_testing::test]
async fn a_comment_counts_by_the_bytes_of_its_text() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let before = used(&ada).await;
    let comment = samples::comment(&ada, &id, "Größe?").await;
    assert_eq!(used(&ada).await, before + 8);
    let edited = samples::on_comment(&ada, &comment, "edit", json!({"text": "So?"})).await.status(200);
    assert_eq!(used(&ada).await, before + 3);
    samples::on_comment(&ada, &edited["comment"], "delete", json!({})).await.status(200);
    assert_eq!(used(&ada).await, before);
    let folder = samples::folder(&ada, "Folder", None).await;
    samples::comment(&ada, &folder, "Empty?").await;
    for verb in ["trash", "purge"] {
        samples::command(&ada, &folder, verb, json!({})).await.await.status(200);
    }
    assert_eq!(used(&ada).await, before);
}

#[shared_testing::test]
async fn a_comment_that_moves_with_its_cells_counts_where_it_was_too() {
    /// More than one statement moves.
    const MANY: i64 = 2_300;
    /// What is kept for one that moves.
    const LEFT: i64 = r#"{"range":"S!A1"}"#.len() as i64;
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let content = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["1"], ["2"]]}]});
    let body = json!({"name": "Budget", "content": content});
    let id = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200));
    let comments = format!("/v1/files/{id}/comments");
    let comment = json!({"text": "Why?", "anchor": {"range": "S!A1"}});
    ada.post(&comments).fresh_key().json(comment).await.status(200);
    let copies = format!(
        "WITH RECURSIVE numbers (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM numbers WHERE i < {MANY})
        INSERT INTO comments (file_id, text, anchor, actor, status, revision, created_at, updated_at)
        SELECT file_id, '', anchor, actor, status, revision, created_at, updated_at FROM comments, numbers"
    );
    samples::sql(&stage, &copies).await;
    let insert = json!([{"op": "insert_rows", "sheet": "S", "row": 1, "count": 1}]);
    let plan = samples::propose(&ada, &id, insert).await.await.status(200)["plan"].clone();

    let before = used(&ada).await;
    samples::sql(&stage, "UPDATE workspaces SET storage_quota_bytes = storage_used_bytes").await;
    samples::apply(&ada, &plan).await.await.refused(413, "quota_exceeded");
    samples::sql(&stage, "UPDATE workspaces SET storage_quota_bytes = 1000000").await;
    samples::apply(&ada, &plan).await.await.status(200);
    const MOVED: &str =
        "SELECT count(*) AS number FROM comments WHERE anchor = '{\"range\":\"S!A2\"}' AND revision = 2";
    assert_eq!((samples::number(&stage, MOVED).await, used(&ada).await), (MANY, before + MANY * LEFT));

    let newest = ada.get(&comments).await.status(200)["items"][0].clone();
    samples::on_comment(&ada, &newest, "delete", json!({})).await.status(200);
    assert_eq!(used(&ada).await, before + (MANY - 1) * LEFT);
    let versions = samples::all(&ada, &format!("/v1/files/{id}/versions?limit=10")).await;
    let restore = format!("versions/{}/restore", versions[1]["id"].as_str().expect("an id"));
    samples::command(&ada, &id, &restore, json!({})).await.await.status(200);
    const BACK: &str = "SELECT count(*) AS number FROM comments WHERE anchor = '{\"range\":\"S!A1\"}' AND revision = 3";
    assert_eq!((samples::number(&stage, BACK).await, stage.count("moved_anchors")), (MANY - 1, 2 * (MANY - 1)));
    for verb in ["trash", "purge"] {
        samples::command(&ada, &id, verb, json!({})).await.await.status(200);
    }
    assert_eq!((stage.count("moved_anchors"), used(&ada).await), (0, 0));
}

#[shared_testing::test]
async fn a_full_workspace_refuses_plans_and_comments_and_gives_back_what_is_deleted() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    let comment = samples::comment(&ada, &id, "Is that so?").await;
    samples::sql(&stage, "UPDATE workspaces SET storage_quota_bytes = storage_used_bytes").await;
    let insert = json!([{"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "three"}]}}]);
    let refused = samples::propose(&ada, &id, insert.clone()).await.await.refused(413, "quota_exceeded");
    assert!(refused["error"]["next_action"].is_object(), "{refused}");
    let post = |text: &str| ada.post(format!("/v1/files/{id}/comments")).fresh_key().json(json!({"text": text}));
    post("No.").await.refused(413, "quota_exceeded");
    assert_eq!((stage.count("edit_plans"), stage.count("comments")), (1, 1), "a refusal keeps nothing");
    // What is there already can be carried out, and what is deleted makes room.
    samples::apply(&ada, &plan).await.await.status(200);
    samples::on_comment(&ada, &comment, "delete", json!({})).await.status(200);
    post("Yes.").await.status(200);
    // Versions cannot be deleted, but files can.
    let other: Value = json!({"name": "n", "content": {"title": "n", "content": "text"}});
    ada.post("/v1/notes").fresh_key().json(other).await.refused(413, "quota_exceeded");
}
