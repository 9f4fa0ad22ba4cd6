//! `POST /v1/files/{file_id}/purge`, and the sweep of the trash after 30 days.

use std::time::Duration;

use cloud_svc::{files::purge_batches, service};
use serde_json::json;
use shared_testing::{Caller, Stage};

use crate::samples::{self, command, document_in, folder};

async fn used(caller: &Caller) -> i64 {
    let response = caller.get("/v1/workspaces").await.status(200);
    response["workspaces"][0]["storage_used_bytes"].as_i64().expect("a number")
}

async fn trash(caller: &Caller, id: &str) {
    command(caller, id, "trash", json!({})).await.await.status(200);
}

/// Purges a folder, or goes on with it, for one batch.
async fn purge(stage: &Stage, folder: &str, limit: i64) {
    let number: i64 = folder.trim_start_matches("file_").parse().expect("a number");
    let batch = move |conn: &mut shared_runtime::Conn| {
        let now = shared_model::Timestamp::from_seconds(1_800_000_000);
        purge_batches::begin(conn, cloud_svc::FileId::from_number(number), now)?;
        Ok(purge_batches::proceed(conn, None, now, limit)?)
    };
    stage.context.write(batch).await.expect("purged");
}

#[shared_testing::test]
async fn a_purged_file_is_gone_and_its_storage_is_free() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let kept = samples::id(&samples::create(&ada, "Kept").await);
    let before = used(&ada).await;
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let plan = samples::plan(&ada, &id, "More.").await;
    samples::apply(&ada, &plan).await.await.status(200);
    samples::comment(&ada, &id, "Is that so?").await;
    trash(&ada, &id).await;
    assert!(used(&ada).await > before);
    let seen = samples::etag(&ada, &id).await;
    let purge = || ada.post(format!("/v1/files/{id}/purge")).key("k").header("if-match", seen.clone()).json(json!({}));
    let response = purge().await.status(200);
    assert_eq!(response.redacted(), json!({"request_id": "[req]"}));
    assert_eq!(used(&ada).await, before);
    ada.get(format!("/v1/files/{id}")).await.refused(404, "not_found");
    assert_eq!((stage.count("files"), stage.count("versions"), stage.count("edit_plans")), (1, 1, 0));
    samples::record(&ada, &kept).await;
    assert_eq!(purge().await.status(200)["replayed"], true);
}

#[shared_testing::test]
async fn agents_purge_only_where_they_write_directly() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let agent = stage.caller("ada").claim("actor", json!({"type": "agent", "id": "agent-7", "display_name": "A"}));
    let id = samples::id(&samples::create(&ada, "Plan").await);
    trash(&agent, &id).await;
    for policy in ["review_risky", "review"] {
        samples::sql(&stage, &format!("UPDATE workspaces SET agent_writes = '{policy}'")).await;
        command(&agent, &id, "purge", json!({})).await.await.refused(403, "approval_required");
        samples::record(&ada, &id).await;
    }
    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'direct'").await;
    command(&agent, &id, "purge", json!({})).await.await.status(200);
    ada.get(format!("/v1/files/{id}")).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn a_purged_folder_takes_its_files_except_those_in_the_trash() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    let inner = folder(&ada, "Inner", Some(&top)).await;
    for _ in 0..3 {
        document_in(&ada, "Plan", &inner).await;
    }
    let survivor = document_in(&ada, "Survivor", &inner).await;
    trash(&ada, &survivor).await;
    trash(&ada, &top).await;
    let seen = samples::etag(&ada, &survivor).await;
    let read = || ada.get(format!("/v1/files/{survivor}")).header("if-none-match", seen.clone());
    read().await.status(304);
    command(&ada, &top, "purge", json!({})).await.await.status(200);
    assert_eq!(stage.count("files"), 1);
    assert_eq!(read().await.status(200)["file"]["parent_id"], json!(null));
    let restored = command(&ada, &survivor, "restore", json!({})).await.await.status(200);
    assert_eq!(restored["file"]["parent_id"], json!(null));
    let document = ada.get(format!("/v1/documents/{survivor}")).await.status(200);
    let bytes = document["content"].to_string().len();
    assert!(used(&ada).await > 0 && bytes > 0, "{bytes}");
}

#[shared_testing::test]
async fn a_large_folder_is_gone_at_once_and_deleted_batch_by_batch() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    let mut inside = Vec::new();
    for number in 0..7 {
        let inner = folder(&ada, &number.to_string(), Some(&top)).await;
        for _ in 0..3 {
            inside.push(document_in(&ada, "Plan", &inner).await);
        }
    }
    trash(&ada, &top).await;
    purge(&stage, &top, 5).await;
    assert!(stage.count("files") > 15, "one batch does not delete it all");
    for id in &inside {
        ada.get(format!("/v1/files/{id}")).await.refused(404, "not_found");
    }
    assert_eq!(ada.get("/v1/files?limit=100").await.status(200)["items"], json!([]));
    assert_eq!(ada.get("/v1/files?limit=100&state=trashed").await.status(200)["items"], json!([]));
    purge_batches::SWEEP.run(&stage.context.db, stage.now()).await.expect("swept");
    assert_eq!((stage.count("files"), stage.count("versions"), used(&ada).await), (0, 0, 0));
}

#[shared_testing::test]
async fn a_folder_with_exactly_one_batch_of_files_is_deleted_in_one() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    for _ in 0..19 {
        document_in(&ada, "Plan", &top).await;
    }
    trash(&ada, &top).await;
    purge(&stage, &top, 21).await;
    assert_eq!((stage.count("files"), used(&ada).await), (0, 0));
}

#[shared_testing::test]
async fn folders_that_are_older_than_their_files_do_not_stop_the_purge() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    let mut folders = Vec::new();
    for number in 0..12 {
        folders.push(folder(&ada, &number.to_string(), Some(&top)).await);
    }
    for inner in &folders {
        document_in(&ada, "Plan", inner).await;
    }
    trash(&ada, &top).await;
    // Each batch has room for fewer rows than there are folders, and the folders come first.
    for _ in 0..20 {
        purge(&stage, &top, 5).await;
    }
    assert_eq!((stage.count("files"), used(&ada).await), (0, 0));
}

#[shared_testing::test]
async fn the_trash_is_emptied_after_30_days() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let old = samples::id(&samples::create(&ada, "Old").await);
    trash(&ada, &old).await;
    stage.clock.advance(Duration::from_secs(86_400));
    let ada = stage.caller("ada");
    let young = samples::id(&samples::create(&ada, "Young").await);
    trash(&ada, &young).await;
    stage.clock.advance(Duration::from_secs(29 * 86_400));
    let ada = stage.caller("ada");
    purge_batches::SWEEP.run(&stage.context.db, stage.now()).await.expect("swept");
    ada.get(format!("/v1/files/{old}")).await.refused(404, "not_found");
    samples::record(&ada, &young).await;
    let changes = ada.get("/v1/workspaces").await.status(200)["workspaces"][0]["change_sequence"].as_i64();
    assert_eq!(changes, Some(5), "the purge is a change like others");
    assert_eq!(stage.count("changes"), 5);
}
