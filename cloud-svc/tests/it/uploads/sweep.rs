//! The sweep removes objects without an owner from the blob store, and no others.

use std::{path::PathBuf, time::Duration};

use cloud_svc::{
    files::{chunk_lists, purge_batches},
    service,
    transfer::uploads,
};
use serde_json::json;
use shared_testing::{Caller, Stage};

use super::{CHUNK, begun, bytes, command, downloaded, objects, put, uploaded};
use crate::samples;

/// The number of objects that the sweep removes an hour later.
async fn swept(stage: &Stage) -> u64 {
    stage.clock.advance(Duration::from_secs(3_601));
    for sweep in [uploads::sweep::LATE, uploads::sweep::UPLOADS, purge_batches::SWEEP] {
        sweep.run(&stage.context.db, stage.now()).await.expect("sweeps");
    }
    chunk_lists::sweep::remove(stage.context.clone()).await.expect("removes")
}

/// A caller whose token lasts for days.
fn lasting(stage: &Stage) -> Caller {
    stage.caller("ada").claim("exp", stage.now().seconds() + 20 * 86_400)
}

/// A file in the folder of an upload, as a killed writer leaves it.
fn stray(stage: &Stage, upload: &str) -> PathBuf {
    let folder = stage.folder().join("blobs/uploads").join(upload);
    std::fs::create_dir_all(&folder).expect("a folder");
    let stray = folder.join("00000-0123456789abcdef0123456789abcdef#1");
    std::fs::write(&stray, b"half").expect("written");
    stray
}

#[shared_testing::test]
async fn chunks_of_cancelled_uploads_are_removed() {
    let stage = Stage::of(service()).await;
    let ada = lasting(&stage);
    let whole = bytes(2 * CHUNK);
    let (cancelled, late, pending) = (begun(&ada, &whole).await, begun(&ada, &whole).await, begun(&ada, &whole).await);
    for id in [&cancelled, &late] {
        put(&ada, id, 0, &whole[..CHUNK]).await.status(200);
    }
    command(&ada, &cancelled, "cancel").await.status(200);
    // A late writer, whose upload is cancelled already.
    stray(&stage, &cancelled);
    assert_eq!((objects(&stage), swept(&stage).await, objects(&stage)), (3, 2, 1));
    stage.clock.advance(Duration::from_secs(86_400 - 3_602));
    put(&ada, &pending, 0, &whole[..CHUNK]).await.status(200);
    // Both are cancelled now, and are swept an hour later.
    stage.clock.advance(Duration::from_secs(1));
    assert_eq!((swept(&stage).await, objects(&stage)), (0, 2));
    assert_eq!((swept(&stage).await, objects(&stage)), (2, 0));
    assert_eq!((stage.count("manifests"), stage.count("manifest_chunks")), (0, 0));
    assert_eq!(stage.count("uploads"), 3);
}

#[shared_testing::test]
async fn owned_objects_stay_and_stray_ones_are_removed() {
    let stage = Stage::of(service()).await;
    let ada = lasting(&stage);
    let whole = bytes(2 * CHUNK + 1);
    let completed = uploaded(&ada, &whole).await;
    let upload = completed["upload"]["id"].as_str().expect("an id").to_owned();
    let file = samples::id(&completed);
    let left = stray(&stage, &upload);
    // An upload in progress is left alone.
    let pending = begun(&ada, &whole).await;
    put(&ada, &pending, 0, &whole[..CHUNK]).await.status(200);
    stray(&stage, &pending);
    assert_eq!((swept(&stage).await, left.exists(), objects(&stage)), (1, false, 3 + 2));
    assert!(downloaded(&stage, &ada, &file).await == whole);
    assert_eq!((swept(&stage).await, objects(&stage)), (0, 5), "nothing is looked through twice");
}

#[shared_testing::test]
async fn chunks_are_removed_with_their_last_version() {
    let stage = Stage::of(service()).await;
    let ada = lasting(&stage);
    let whole = bytes(CHUNK + 1);
    let first = samples::id(&uploaded(&ada, &whole).await);
    let copied = samples::command(&ada, &first, "copy", json!({})).await.without_header("if-match").await.status(200);
    let second = samples::id(&copied);
    for (file, left) in [(&first, 2), (&second, 0)] {
        samples::command(&ada, file, "trash", json!({})).await.await.status(200);
        assert_eq!(swept(&stage).await, 0);
        samples::command(&ada, file, "purge", json!({})).await.await.status(200);
        swept(&stage).await;
        assert_eq!(objects(&stage), left);
        if left > 0 {
            assert!(downloaded(&stage, &ada, &second).await == whole);
        }
    }
    assert_eq!((stage.count("manifests"), stage.count("versions")), (0, 0));
}
