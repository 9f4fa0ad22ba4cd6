//! Completing and cancelling uploads.

use std::{collections::BTreeSet, os::unix::fs::MetadataExt as _};

use serde_json::json;
use shared_testing::{Stage, Text, together};

use super::{CHUNK, begin, begun, bytes, claim, command, downloaded, put, sent, sha256, status, storage, uploaded};
use crate::samples;
use cloud_svc::service;

#[shared_testing::test]
async fn twenty_completions_make_one_file() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(2 * CHUNK);
    let id = begun(&ada, &whole).await;
    sent(&ada, &id, &whole).await;
    let answers = together((0..20).map(|_| command(&ada, &id, "complete"))).await;
    let first = answers[0].json();
    for answer in &answers {
        let answer = answer.clone().status(200);
        assert_eq!((&answer["upload"], &answer["file"]), (&first["upload"], &first["file"]));
    }
    assert_eq!((stage.count("files"), stage.count("versions")), (1, 1));
    assert_eq!(storage(&ada).await, (whole.len() as i64, 0));
    let there = status(&ada, &id).await;
    assert_eq!(there, first["upload"]);
    assert!(there["file_id"].is_string() && there["version_id"].is_string());
    put(&ada, &id, 0, &whole[..CHUNK]).await.refused(409, "upload_state");
    command(&ada, &id, "cancel").await.refused(409, "upload_state");
    let change =
        samples::number(&stage, "SELECT count(*) AS number FROM changes WHERE type = 'upload.completed'").await;
    assert_eq!(change, 1);
    let file = samples::id(&answers[0]);
    samples::command(&ada, &file, "trash", json!({})).await.await.status(200);
    samples::command(&ada, &file, "purge", json!({})).await.await.status(200);
    let later = command(&ada, &id, "complete").await.status(200);
    assert_eq!((&later["file"], &later["upload"]["file_id"]), (&json!(null), &json!(file)));
}

/// The objects of an upload: their inode numbers, and when content or location last changed.
fn objects(stage: &Stage, upload: &str) -> BTreeSet<(u64, i64, i64)> {
    let folder = std::fs::read_dir(stage.folder().join("blobs/uploads").join(upload)).expect("a folder");
    let metadata = folder.map(|entry| entry.expect("an entry").metadata().expect("metadata"));
    metadata.map(|object| (object.ino(), object.ctime(), object.ctime_nsec())).collect()
}

#[shared_testing::test]
async fn completing_a_large_upload_copies_nothing() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(100 * CHUNK);
    let id = begun(&ada, &whole).await;
    sent(&ada, &id, &whole).await;
    let before = objects(&stage, &id);
    let completed = command(&ada, &id, "complete").await.status(200);
    assert_eq!(before.len(), 100);
    assert_eq!(objects(&stage, &id), before);
    let folders = std::fs::read_dir(stage.folder().join("blobs/uploads")).expect("a folder");
    assert_eq!(folders.count(), 1, "no other objects were made");
    assert_eq!(sha256(&downloaded(&stage, &ada, &samples::id(&completed)).await), sha256(&whole));
}

#[shared_testing::test]
async fn an_upload_with_a_wrong_sha256_is_cancelled_and_frees_its_storage() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(CHUNK + 1);
    let mut body = claim(&whole);
    body["sha256"] = json!(sha256(b"another"));
    let id = begin(&ada, body).await.status(200)["upload"]["id"].text().to_owned();
    sent(&ada, &id, &whole).await;
    assert_eq!(storage(&ada).await, (0, whole.len() as i64));
    let key = command(&ada, &id, "complete");
    let refused = key.clone().await.refused(422, "digest_mismatch");
    assert!(refused["error"]["message"].text().contains(&sha256(&whole)));
    key.await.refused(422, "digest_mismatch");
    command(&ada, &id, "complete").await.refused(422, "digest_mismatch");
    assert_eq!(status(&ada, &id).await["state"], "cancelled");
    assert_eq!(storage(&ada).await, (0, 0));
    assert_eq!(stage.count("files"), 0);
    command(&ada, &id, "cancel").await.status(200);
    put(&ada, &id, 0, &whole[..CHUNK]).await.refused(409, "upload_state");
}

#[shared_testing::test]
async fn an_empty_upload_needs_the_sha256_of_nothing() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let mut body = claim(b"");
    body["sha256"] = json!(sha256(b"something"));
    let id = begin(&ada, body).await.status(200)["upload"]["id"].text().to_owned();
    command(&ada, &id, "complete").await.refused(422, "digest_mismatch");
    let file = samples::id(&uploaded(&ada, b"").await);
    assert_eq!(downloaded(&stage, &ada, &file).await, b"");
}

#[shared_testing::test]
async fn the_type_is_recognized_from_the_bytes() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for (content, mime, kind) in [
        (&b"%PDF-1.7 and so on"[..], "text/html", "pdf"),
        (b"<html><script>alert(1)</script>", "application/pdf", "uploaded_file"),
        (b"\x89PNG\r\n\x1a\n", "image/svg+xml", "uploaded_file"),
    ] {
        let mut body = claim(content);
        body["mime"] = json!(mime);
        let id = begin(&ada, body).await.status(200)["upload"]["id"].text().to_owned();
        sent(&ada, &id, content).await;
        let completed = command(&ada, &id, "complete").await.status(200);
        assert_eq!((&completed["file"]["type"], &completed["upload"]["mime"]), (&json!(kind), &json!(mime)));
        let file = samples::id(&completed);
        assert_eq!(samples::etag(&ada, &file).await, completed["file"]["etag"].text());
        let listed = ada.get(format!("/v1/files?type={kind}")).await.status(200);
        assert!(listed["items"].as_array().expect("items").contains(&completed["file"]));
    }
}

#[shared_testing::test]
async fn another_folder_can_be_named_if_the_first_is_gone() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let folder = samples::folder(&ada, "Plans", None).await;
    let mut body = claim(b"x");
    body["parent_id"] = json!(folder);
    let id = begin(&ada, body.clone()).await.status(200)["upload"]["id"].text().to_owned();
    sent(&ada, &id, b"x").await;
    samples::command(&ada, &folder, "trash", json!({})).await.await.status(200);
    begin(&ada, body).await.refused(409, "parent_trashed");
    let refused = command(&ada, &id, "complete").await.refused(409, "parent_trashed");
    assert_eq!(refused["error"]["next_action"]["problems"][0]["at"], "/parent_id");
    assert_eq!(storage(&ada).await, (0, 1), "the reservation stands");
    let other = samples::folder(&ada, "Other", None).await;
    let completed = command(&ada, &id, "complete").json(json!({"parent_id": other})).await.status(200);
    assert_eq!(completed["file"]["parent_id"], other);
    assert_eq!(storage(&ada).await, (1, 0));
}

#[shared_testing::test]
async fn an_upload_can_be_cancelled() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(CHUNK + 1);
    let id = begun(&ada, &whole).await;
    put(&ada, &id, 0, &whole[..CHUNK]).await.status(200);
    let cancelled = command(&ada, &id, "cancel").await.status(200);
    assert_eq!(cancelled["upload"]["state"], "cancelled");
    command(&ada, &id, "cancel").await.status(200);
    assert_eq!(storage(&ada).await, (0, 0));
    put(&ada, &id, 1, &whole[CHUNK..]).await.refused(409, "upload_state");
    let refused = command(&ada, &id, "complete").await.refused(409, "upload_state");
    assert_eq!(refused["error"]["next_action"]["type"], "refresh");
}
