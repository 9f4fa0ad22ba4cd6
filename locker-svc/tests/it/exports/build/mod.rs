//! Building exports: in one go, after interruptions, twice at once.

mod processes;
mod source;

use std::{fs, path::PathBuf, time::Duration};

use locker_svc::{
    exports::{Export, ExportState, build::build, collect_garbage, store},
    ids::ExportId,
};
use sha2::{Digest as _, Sha256};
use shared_testing::Stage;
use tokio::sync::oneshot;

use super::{build_request, bytes, export, file, links, stage};

const MIB: u64 = 1 << 20;

/// An export of room 1 whose build was dropped after two of its four parts; and its source.
pub async fn interrupted(stage: &Stage) -> (ExportId, PathBuf) {
    let path = file(stage, "package.bin", &bytes(3_500_000));
    stopped_at(stage, &path, 2 * MIB).await;
    let all = stage.context.read(|conn| Ok(store::list_all(conn)?)).await.expect("exports");
    assert_eq!((all.len(), all[0].state), (1, ExportState::Building));
    assert_eq!(stage.count("export_parts"), 2);
    (all[0].id, path)
}

/// Builds an export of room 1, and drops the build once this many bytes are done.
async fn stopped_at(stage: &Stage, path: &std::path::Path, bytes: u64) {
    let (stop, stopped) = oneshot::channel();
    let mut stop = Some(stop);
    let mut watch = |progress: locker_svc::exports::build::Progress| {
        if progress.done >= bytes
            && let Some(stop) = stop.take()
        {
            stop.send(()).expect("somebody waits");
        }
    };
    tokio::select! {
        biased;
        _ = stopped => {}
        _ = build(&stage.context, build_request(1, path, MIB), &mut watch) => panic!("stopped before its end"),
    }
}

async fn resume(stage: &Stage, path: &std::path::Path, restart: bool) -> Result<Export, String> {
    let mut request = build_request(1, path, MIB);
    request.restart = restart;
    build(&stage.context, request, &mut |_| {}).await.map_err(|error| error.to_string())
}

/// Everything that the links of the first page lead to, in order.
pub async fn fetched(stage: &Stage, export: &Export) -> Vec<u8> {
    let mut whole = Vec::new();
    for link in links(stage, &stage.caller("ada"), export).await {
        whole.extend_from_slice(stage.anyone().get(link).await.status(200).bytes());
    }
    whole
}

#[shared_testing::test]
async fn an_interrupted_build_is_resumed() {
    let stage = stage().await;
    let (begun, path) = interrupted(&stage).await;
    let export = resume(&stage, &path, false).await.expect("the rest");
    assert_eq!((export.id, export.part_count, export.state), (begun, Some(4), ExportState::Ready));
    assert!(fetched(&stage, &export).await == fs::read(&path).expect("the source"));
    let sha256 = hex::encode(Sha256::digest(fs::read(&path).expect("the source")));
    assert_eq!(export.sha256, Some(sha256));
}

#[shared_testing::test]
async fn a_build_that_is_resumed_after_days_is_not_abandoned() {
    let stage = stage().await;
    let (begun, path) = interrupted(&stage).await;
    let week = Duration::from_secs(7 * 86_400);
    stage.clock.advance(week + Duration::from_secs(60));
    // It compares the parts that are there, and has added none yet.
    stopped_at(&stage, &path, MIB).await;
    assert_eq!(stage.count("export_parts"), 2);
    let collected = collect_garbage(&stage.context, week).await.expect("collects");
    assert_eq!((collected.expired, collected.given_up), (0, 0));
    assert_eq!(resume(&stage, &path, false).await.expect("the rest").id, begun);
}

#[shared_testing::test]
async fn a_changed_source_is_reported_and_can_be_built_again() {
    let stage = stage().await;
    let (begun, path) = interrupted(&stage).await;
    let mut changed = bytes(3_500_000);
    changed[5] ^= 1;
    fs::write(&path, &changed).expect("written");
    let error = resume(&stage, &path, false).await.expect_err("changed");
    assert!(error.contains("has changed") && error.contains("part 0") && error.contains("--restart"), "{error}");
    fs::write(&path, &changed[..1000]).expect("written");
    assert!(resume(&stage, &path, false).await.expect_err("shorter").contains("has changed"));
    let mut coarser = build_request(1, &path, 2 * MIB);
    let error = build(&stage.context, coarser.clone(), &mut |_| {}).await.expect_err("other parts").to_string();
    assert!(error.contains("--part-bytes 1048576"), "{error}");

    coarser.restart = true;
    let again = build(&stage.context, coarser, &mut |_| {}).await.expect("a new export");
    assert_ne!(again.id, begun);
    assert!(fetched(&stage, &again).await == changed[..1000]);
    stage.caller("ada").get(format!("/api/v1/exports/{begun}/parts")).await.refused(404, "export_failed");
    let left = stage.folder().join(format!("blobs/exports/{begun}"));
    assert!(!left.exists(), "the parts of the one that was given up are gone");
}

#[shared_testing::test]
async fn two_concurrent_builds_of_one_source_give_one_export() {
    let stage = stage().await;
    let path = file(&stage, "package.bin", &bytes(3_500_000));
    let builds = (0..4).map(|_| async { resume(&stage, &path, false).await.expect("an export") });
    let mut built = Vec::new();
    let mut tasks: Vec<_> = builds.map(Box::pin).collect();
    std::future::poll_fn(|context| {
        tasks.retain_mut(|task| match task.as_mut().poll(context) {
            std::task::Poll::Ready(export) => {
                built.push(export);
                false
            }
            std::task::Poll::Pending => true,
        });
        if tasks.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    let first = &built[0];
    assert!(built.iter().all(|export| (export.id, &export.sha256) == (first.id, &first.sha256)), "{built:?}");
    assert_eq!((stage.count("exports"), stage.count("export_parts")), (1, 4));
    assert!(fetched(&stage, first).await == fs::read(&path).expect("the source"));
    let blobs = fs::read_dir(stage.folder().join(format!("blobs/exports/{}", first.id))).expect("the folder");
    assert_eq!(blobs.count(), 4, "who was second has removed what it stored");
}

#[shared_testing::test]
async fn a_finished_export_is_not_built_again_but_a_second_one_is() {
    let stage = stage().await;
    let first = export(&stage, 1, b"package", 4).await;
    let second = export(&stage, 1, b"package", 4).await;
    assert_ne!(first.id, second.id);
    let path = file(&stage, "package.bin", b"other");
    let mut chosen = build_request(1, &path, 4);
    chosen.id = Some(first.id);
    let known = build(&stage.context, chosen, &mut |_| {}).await.expect("the first");
    assert_eq!(known, first);
}

#[shared_testing::test]
async fn garbage_collection_leaves_the_blobs_of_a_build_alone() {
    let stage = stage().await;
    let (begun, path) = interrupted(&stage).await;
    // A bucket dates a blob from the start of its upload: it may be old when its row is still to come.
    let stored = stage.folder().join(format!("blobs/exports/{begun}/0002-without-its-row"));
    fs::write(&stored, "a part").expect("written");
    stage.clock.advance(Duration::from_secs(3 * 3600));
    let week = Duration::from_secs(7 * 86_400);
    assert_eq!(collect_garbage(&stage.context, week).await.expect("collects").blobs, 0);
    assert!(stored.exists(), "its row may come");
    let export = resume(&stage, &path, false).await.expect("the rest");
    collect_garbage(&stage.context, week).await.expect("collects");
    assert!(!stored.exists(), "no row comes after the end of the build");
    assert!(fetched(&stage, &export).await == fs::read(&path).expect("the source"));
}

#[shared_testing::test]
async fn garbage_collection_keeps_referenced_blobs() {
    let stage = stage().await;
    let export = export(&stage, 1, b"package", 4).await;
    let stray = stage.folder().join(format!("blobs/exports/{}/0009-stray#1", export.id));
    fs::write(&stray, "half").expect("written");
    let week = Duration::from_secs(7 * 86_400);
    assert_eq!(collect_garbage(&stage.context, week).await.expect("collects").blobs, 0, "it may be in the making");
    stage.clock.advance(Duration::from_secs(3700));
    assert_eq!(collect_garbage(&stage.context, week).await.expect("collects").blobs, 1);
    assert!(fetched(&stage, &export).await == b"package");
}
