//! Uploaded files like all others: versions, copies, restores, and what does not work with them.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Stage, Text};

use super::{CHUNK, begin, bytes, claim, command, downloaded, objects, put, sent, storage, uploaded};
use crate::samples;

fn version_of(caller: &Caller, file: &str, etag: &str, bytes: &[u8]) -> Request {
    let mut body = claim(bytes);
    body["file_id"] = json!(file);
    begin(caller, body).header("if-match", etag)
}

#[shared_testing::test]
async fn an_upload_can_be_the_next_version_and_the_first_can_be_restored() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (first, second) = (bytes(CHUNK + 3), b"%PDF-1.7".to_vec());
    let created = uploaded(&ada, &first).await;
    let file = samples::id(&created);
    let etag = created["file"]["etag"].text();
    let mut body = claim(&second);
    body["file_id"] = json!(file);
    begin(&ada, body.clone()).await.refused(428, "if_match_required");
    version_of(&ada, "file_999999", etag, &second).await.refused(404, "not_found").problems_at(&["/file_id"]);
    body["parent_id"] = json!("file_1");
    begin(&ada, body).header("if-match", etag).await.refused(422, "invalid_field").problems_at(&["/file_id"]);
    let id = version_of(&ada, &file, etag, &second).await.status(200)["upload"]["id"].text().to_owned();
    sent(&ada, &id, &second).await;
    let elsewhere = command(&ada, &id, "complete").json(json!({"parent_id": "root"}));
    elsewhere.await.refused(422, "invalid_field").problems_at(&["/parent_id"]);
    let completed = command(&ada, &id, "complete").await.status(200);
    assert_eq!((&completed["file"]["id"], &completed["file"]["type"]), (&json!(file), &json!("pdf")));
    assert_eq!(downloaded(&stage, &ada, &file).await, second);
    let listed = ada.get(format!("/v1/files/{file}/versions")).await.status(200);
    assert_eq!((&listed["items"][0]["via"], &listed["items"][1]["bytes"]), (&json!("upload"), &json!(first.len())));
    let earlier = listed["items"][1]["id"].text();
    let read = ada.get(format!("/v1/files/{file}/versions/{earlier}")).await.status(200);
    let content = json!({"mime": "application/octet-stream", "bytes": first.len(), "sha256": claim(&first)["sha256"]});
    assert_eq!(read["content"], content);
    let restore = samples::command(&ada, &file, &format!("versions/{earlier}/restore"), json!({})).await;
    assert_eq!(restore.await.status(200)["file"]["type"], "uploaded_file");
    assert!(downloaded(&stage, &ada, &file).await == first);
    assert_eq!(storage(&ada).await, (2 * first.len() as i64 + second.len() as i64, 0));
    assert_eq!(objects(&stage), 3, "what is restored is not copied");
}

#[shared_testing::test]
async fn a_version_of_a_changed_file_needs_a_new_if_match() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let created = uploaded(&ada, b"first").await;
    let file = samples::id(&created);
    let old = created["file"]["etag"].text();
    version_of(&ada, &file, "\"0000000000000000000000000000000000000000000000000000000000000000\"", b"second")
        .await
        .refused(412, "etag_mismatch");
    let id = version_of(&ada, &file, old, b"second").await.status(200)["upload"]["id"].text().to_owned();
    sent(&ada, &id, b"second").await;
    samples::command(&ada, &file, "rename", json!({"name": "Other"})).await.await.status(200);
    let refused = command(&ada, &id, "complete").await.refused(412, "etag_mismatch");
    let current = refused["error"]["next_action"]["etag"].text().to_owned();
    command(&ada, &id, "complete").header("if-match", old).await.refused(412, "etag_mismatch");
    command(&ada, &id, "complete").header("if-match", current).await.status(200);
    assert_eq!(downloaded(&stage, &ada, &file).await, b"second");
}

#[shared_testing::test]
async fn an_upload_whose_file_is_gone_is_told_so() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let created = uploaded(&ada, b"first").await;
    let (file, etag) = (samples::id(&created), created["file"]["etag"].text());
    let id = version_of(&ada, &file, etag, b"second").await.status(200)["upload"]["id"].text().to_owned();
    sent(&ada, &id, b"second").await;
    for verb in ["trash", "purge"] {
        samples::command(&ada, &file, verb, json!({})).await.await.status(200);
    }
    let complete = || command(&ada, &id, "complete");
    for refused in [complete().await, complete().header("if-match", etag).await] {
        let refused = refused.refused(404, "not_found").problems_at(&["upload_id"]);
        let said = "The file of the upload is gone. Cancel the upload, or begin another.";
        assert_eq!(refused["error"]["message"], said);
    }
    command(&ada, &id, "cancel").await.status(200);
    assert_eq!(storage(&ada).await.1, 0);
}

#[shared_testing::test]
async fn only_uploaded_files_get_versions_by_uploads() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let note = ada.post("/v1/notes").fresh_key().json(json!({"name": "N"})).await.status(200);
    let id = samples::id(&note);
    version_of(&ada, &id, note["file"]["etag"].text(), b"x")
        .await
        .refused(422, "invalid_field")
        .problems_at(&["/file_id"]);
    begin(&ada, claim(b"x")).header("if-match", note["file"]["etag"].text()).await.refused(400, "invalid_request");
    let file = samples::id(&uploaded(&ada, b"x").await);
    let operations = json!([{"op": "append_text", "text": "x"}]);
    samples::propose(&ada, &file, operations).await.await.refused(422, "invalid_field");
    ada.get(format!("/v1/documents/{file}")).await.refused(404, "not_found");
    samples::comment(&ada, &file, "What is this?").await;
}

#[shared_testing::test]
async fn copies_share_their_chunks_and_count_as_files() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(2 * CHUNK);
    let file = samples::id(&uploaded(&ada, &whole).await);
    let copied = samples::command(&ada, &file, "copy", json!({"name": "Second"})).await.without_header("if-match");
    let copied = copied.await.status(200);
    let copy = samples::id(&copied);
    assert_eq!(copied["file"]["type"], "uploaded_file");
    assert_eq!((storage(&ada).await, objects(&stage)), ((2 * whole.len() as i64, 0), 2));
    for file in [&file, &copy] {
        assert!(downloaded(&stage, &ada, file).await == whole);
    }
    let found = ada.get("/v1/search?name_contains=second&type=uploaded_file").await.status(200);
    assert_eq!(found["items"][0]["id"], copy);
}

/// An agent may not change a file directly in a workspace with reviews.
#[shared_testing::test]
async fn an_agents_version_needs_approval_if_the_workspace_requires_it() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let created = uploaded(&ada, b"first").await;
    let (file, etag) = (samples::id(&created), created["file"]["etag"].text().to_owned());
    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'review'").await;
    let agent: Value = json!({"type": "agent", "id": "agent_1", "display_name": "Agent"});
    let robot = stage.caller("robot").claim("actor", agent);
    version_of(&robot, &file, &etag, b"second").await.refused(403, "approval_required");
    uploaded(&robot, b"its own").await;
    // The policy changes after the upload has begun.
    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'review_risky'").await;
    let begun = version_of(&robot, &file, &etag, b"second").await.status(200);
    let upload = begun["upload"]["id"].text();
    put(&robot, upload, 0, b"second").await.status(200);
    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'review'").await;
    command(&robot, upload, "complete").await.refused(403, "approval_required");
    assert_eq!(downloaded(&stage, &ada, &file).await, b"first");
}
