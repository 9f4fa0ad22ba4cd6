//! Purges of files that are too large for one transaction.

use std::time::Duration;

use cloud_svc::{
    files::{chunk_lists, purge_batches},
    service,
};
use serde_json::json;
use shared_testing::{Caller, Stage, Text as _};

use crate::{
    samples::{self, command, document_in, folder},
    uploads::{self, storage},
};

/// More rows than one transaction deletes.
const MANY: i64 = 12_000;

/// A table `numbers` with the numbers from 2 to [`MANY`].
fn numbers() -> String {
    format!("WITH RECURSIVE numbers (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM numbers WHERE i < {MANY})")
}

fn number(file: &str) -> &str {
    file.trim_start_matches("file_")
}

async fn purge(caller: &Caller, id: &str) {
    command(caller, id, "trash", json!({})).await.await.status(200);
    command(caller, id, "purge", json!({})).await.await.status(200);
    caller.get(format!("/v1/files/{id}")).await.refused(404, "not_found");
}

async fn sweep(stage: &Stage) {
    purge_batches::SWEEP.run(&stage.context.db, stage.now()).await.expect("swept");
}

#[shared_testing::test]
async fn a_file_with_many_versions_loses_them_in_batches() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let file = number(&id);
    let versions = format!(
        "{} INSERT INTO versions (file_id, number, content_bytes, sha256, created_by, created_at, content)
            SELECT {file}, i, 10, sample.sha256, sample.created_by, 0, sample.content
            FROM numbers, (SELECT sha256, created_by, content FROM versions WHERE file_id = {file}) AS sample",
        numbers()
    );
    samples::sql(&stage, &versions).await;
    samples::sql(&stage, &format!("UPDATE files SET current_version = {MANY} WHERE id = {file}")).await;
    let sum = "SELECT CAST(sum(content_bytes) AS BIGINT) AS number FROM versions";
    let bytes = samples::number(&stage, sum).await;
    samples::sql(&stage, &format!("UPDATE workspaces SET storage_used_bytes = {bytes}")).await;
    purge(&ada, &id).await;
    let left = stage.count("versions");
    assert!(left > 1 && left < MANY, "{left}");
    assert_eq!(stage.count("files"), 1);
    assert_eq!(storage(&ada).await.0, samples::number(&stage, sum).await, "what is deleted is given back at once");
    let last = samples::number(&stage, "SELECT max(number) AS number FROM versions").await;
    assert_eq!(last, MANY, "the current version is the last to go");
    sweep(&stage).await;
    assert_eq!((stage.count("files"), stage.count("versions"), storage(&ada).await.0), (0, 0, 0));
}

#[shared_testing::test]
async fn large_files_are_deleted_in_several_batches() {
    const BYTES: i64 = 41_943_040;
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    for _ in 0..3 {
        document_in(&ada, "Plan", &top).await;
    }
    samples::sql(&stage, &format!("UPDATE versions SET content_bytes = {BYTES}")).await;
    samples::sql(&stage, &format!("UPDATE workspaces SET storage_used_bytes = {}", 3 * BYTES)).await;
    purge(&ada, &top).await;
    let left = stage.count("versions");
    assert!(left > 0 && left < 3, "{left}");
    assert_eq!((stage.count("files"), storage(&ada).await.0), (left + 1, left * BYTES));
    sweep(&stage).await;
    assert_eq!((stage.count("files"), stage.count("versions"), storage(&ada).await.0), (0, 0, 0));
}

#[shared_testing::test]
async fn ids_of_many_deleted_parts_go_in_batches() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let kept = samples::id(&samples::create(&ada, "Kept").await);
    for (file, more) in [(&id, ""), (&kept, " WHERE i < 10")] {
        let parts = format!(
            "{} INSERT INTO gone_parts (file_id, part_id) SELECT {}, 'p' || i FROM numbers{more}",
            numbers(),
            number(file)
        );
        samples::sql(&stage, &parts).await;
    }
    purge(&ada, &id).await;
    let left = stage.count("gone_parts");
    assert!(left > 8 && left < MANY, "{left}");
    sweep(&stage).await;
    assert_eq!((stage.count("files"), stage.count("gone_parts")), (1, 8));
}

#[shared_testing::test]
async fn objects_of_earlier_versions_are_removed_too() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada").claim("exp", stage.now().seconds() + 86_400);
    let created = uploads::uploaded(&ada, b"first").await;
    let mut body = uploads::claim(b"second");
    body["file_id"] = created["file"]["id"].clone();
    let begun = uploads::begin(&ada, body).header("if-match", created["file"]["etag"].text()).await.status(200);
    let upload = begun["upload"]["id"].text();
    uploads::sent(&ada, upload, b"second").await;
    uploads::command(&ada, upload, "complete").await.status(200);
    assert_eq!(uploads::objects(&stage), 2);
    purge(&ada, &samples::id(&created)).await;
    assert_eq!((stage.count("versions"), storage(&ada).await.0), (0, 0));
    stage.clock.advance(Duration::from_secs(3_601));
    let removed = chunk_lists::sweep::remove(stage.context.clone()).await.expect("removes");
    assert_eq!((removed, uploads::objects(&stage)), (2, 0));
}
