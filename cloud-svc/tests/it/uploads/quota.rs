//! Storage: reserved at the beginning of an upload, used when it is completed, given back if it is cancelled.

use std::time::Duration;

use cloud_svc::{base::limits::UPLOAD_SECONDS, service, transfer::uploads::sweep};
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text, together};

use super::{begin, claim, command, sha256, status, storage};
use crate::samples;

fn of_size(size: i64) -> Value {
    json!({"name": "Drawings", "mime": "image/png", "size": size, "sha256": sha256(b"")})
}

async fn quota(stage: &Stage, caller: &Caller, bytes: i64) {
    caller.get("/v1/workspaces").await.status(200);
    samples::sql(stage, &format!("UPDATE workspaces SET storage_quota_bytes = {bytes}")).await;
}

#[shared_testing::test]
async fn one_of_three_uploads_begins_if_only_one_fits() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    quota(&stage, &ada, 45_000_000).await;
    for _ in 0..5 {
        let answers = together((0..3).map(|_| begin(&ada, of_size(42_000_000)))).await;
        let begun: Vec<_> = answers.iter().filter(|answer| answer.json()["upload"].is_object()).collect();
        assert_eq!(begun.len(), 1);
        for answer in &answers {
            if answer.json()["upload"].is_null() {
                answer.clone().refused(413, "quota_exceeded");
            }
        }
        assert_eq!(storage(&ada).await, (0, 42_000_000));
        command(&ada, begun[0]["upload"]["id"].text(), "cancel").await.status(200);
        assert_eq!(storage(&ada).await, (0, 0));
    }
}

#[shared_testing::test]
async fn reserved_storage_is_not_available_to_others() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    quota(&stage, &ada, 1_000).await;
    begin(&ada, of_size(990)).await.status(200);
    let note = ada.post("/v1/notes").fresh_key().json(json!({"name": "N", "content": {"title": "t", "content": "x"}}));
    note.await.refused(413, "quota_exceeded");
    begin(&ada, of_size(11)).await.refused(413, "quota_exceeded");
    begin(&ada, of_size(10)).await.status(200);
    assert_eq!(storage(&ada).await, (0, 1_000));
}

#[shared_testing::test]
async fn an_expired_upload_is_cancelled_and_frees_its_storage() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada").claim("exp", stage.now().seconds() + 30 * 86_400);
    quota(&stage, &ada, 100).await;
    let begun = begin(&ada, of_size(60)).await.status(200);
    let id = begun["upload"]["id"].text();
    stage.clock.advance(Duration::from_secs(UPLOAD_SECONDS));
    assert_eq!(status(&ada, id).await["state"], "cancelled");
    command(&ada, id, "complete").await.refused(409, "upload_state");
    assert_eq!(storage(&ada).await, (0, 60), "nobody has looked yet");
    // A new upload that needs the room does not wait for the sweep.
    begin(&ada, of_size(60)).await.status(200);
    assert_eq!(storage(&ada).await, (0, 60));
    stage.clock.advance(Duration::from_secs(UPLOAD_SECONDS));
    assert_eq!(sweep::LATE.run(&stage.context.db, stage.now()).await.expect("sweeps"), 1);
    assert_eq!(storage(&ada).await, (0, 0));
    stage.clock.advance(Duration::from_secs(6 * 86_400 - 1));
    assert_eq!(status(&ada, id).await["state"], "cancelled");
    stage.clock.advance(Duration::from_secs(1));
    ada.get(format!("/v1/uploads/{id}")).await.refused(404, "not_found");
    assert_eq!(sweep::UPLOADS.run(&stage.context.db, stage.now()).await.expect("sweeps"), 1);
    assert_eq!(stage.count("uploads"), 1);
}

#[shared_testing::test]
async fn a_too_large_upload_is_refused_at_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    begin(&ada, of_size(1_073_741_824)).await.status(200);
    begin(&ada, of_size(1_073_741_825)).await.refused(413, "upload_too_large");
    begin(&ada, of_size(-1)).await.refused(422, "invalid_field").problems_at(&["/size"]);
    let mut body = claim(b"x");
    body["mime"] = json!("nothing");
    body["sha256"] = json!("ABC");
    body["name"] = json!("a/b");
    begin(&ada, body).await.refused(422, "invalid_field").problems_at(&["/name", "/mime", "/sha256"]);
}

#[shared_testing::test]
async fn the_state_of_an_upload_needs_the_present_bound() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let begun = begin(&ada, of_size(60)).await.status(200);
    let state = || ada.get(format!("/v1/uploads/{}", begun["upload"]["id"].text()));
    // Like an upload from a time when the bound was larger.
    samples::sql(&stage, "UPDATE uploads SET size = 1073741824").await;
    state().await.status(200);
    samples::sql(&stage, "UPDATE uploads SET size = 1073741825").await;
    state().await.refused(413, "upload_too_large").problems_at(&["/size"]);
}
