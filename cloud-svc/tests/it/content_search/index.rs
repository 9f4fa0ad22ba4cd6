//! The index: kept by a job, checked and rebuilt, and never needed for a right answer.

use std::{slice, time::Duration};

use cloud_svc::{
    WorkspaceId,
    files::content_search::index::{check, job, rebuild},
};
use serde_json::json;
use shared_testing::{Stage, held_lane, servers};

use super::{ids, indexed, stage};
use crate::{commands::cloud, samples};

const OWNER: WorkspaceId = WorkspaceId::from_number(1);

async fn differences(stage: &Stage) -> Vec<(String, &'static str)> {
    let found = check::check(&stage.context, OWNER).await.expect("a comparison");
    found.into_iter().map(|check::Difference { file, what }| (file.to_string(), what)).collect()
}

#[shared_testing::test]
async fn the_job_indexes_what_was_written() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    samples::document_of(&ada, &["budget"]).await;
    const LIVE: &str = "SELECT count(*) AS number FROM search_segments WHERE state = 'live'";
    assert_eq!(samples::number(&stage, LIVE).await, 0);
    stage.clock.advance(Duration::from_secs(2));
    while samples::number(&stage, LIVE).await == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    while samples::number(&stage, "SELECT count(*) AS number FROM jobs WHERE kind = 'search_index'").await > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(ids(&ada, "text=budget").await.len(), 1);
    assert_eq!(differences(&stage).await, []);
}

/// SQLite has one lane.
#[shared_testing::test]
#[ignore = "needs PostgreSQL"]
async fn the_job_of_a_workspace_waits_for_no_other_workspace() {
    servers::needed();
    let stage = stage().await;
    let ada = stage.caller("ada");
    samples::document_of(&ada, &["budget"]).await;
    let other = WorkspaceId::from_number(2).lane();
    assert_ne!(other.index(4), OWNER.lane().index(4));
    let work = async {
        stage.clock.advance(Duration::from_secs(2));
        while samples::number(&stage, "SELECT count(*) AS number FROM jobs WHERE kind = 'search_index'").await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    held_lane::while_held(&stage, other, work).await;
    assert_eq!(ids(&ada, "text=budget").await.len(), 1);
    assert_eq!(differences(&stage).await, []);
}

/// Writes this many folders that are not indexed.
async fn write_folders(stage: &Stage, count: i64) {
    let folders = format!(
        "WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {count})
         INSERT INTO files (workspace_id, name, name_key, type, state, meta_revision, change_sequence, first_change,
             created_at, updated_at)
         SELECT 1, 'other', 'other', 'folder', 'active', 1, change_sequence + i, change_sequence + i, 0, 0
         FROM numbers, workspaces WHERE workspaces.id = 1"
    );
    let entries = "INSERT INTO search_entries (file_id, workspace_id, sequence)
        SELECT id, workspace_id, first_change FROM files
        WHERE NOT EXISTS (SELECT 1 FROM search_entries WHERE file_id = files.id)";
    let sequence = format!("UPDATE workspaces SET change_sequence = change_sequence + {count} WHERE id = 1");
    for sql in [&folders, entries, &sequence] {
        samples::sql(stage, sql).await;
    }
}

#[shared_testing::test]
async fn a_file_among_thousands_that_are_not_indexed_is_found() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let old = samples::id(&samples::document_of(&ada, &["budget"]).await);
    indexed(&stage).await;
    // More than one request compares.
    write_folders(&stage, 200).await;
    let new = samples::id(&samples::document_of(&ada, &["budget"]).await);
    write_folders(&stage, 2_300).await;
    assert_eq!(ids(&ada, "text=budget").await, [new, old]);
}

#[shared_testing::test]
async fn many_segments_become_few_and_old_numbers_go() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let file = samples::id(&samples::document_of(&ada, &["budget"]).await);
    for round in 0..30 {
        samples::comment(&ada, &file, &format!("Round {round}")).await;
        indexed(&stage).await;
    }
    assert_eq!(ids(&ada, "text=budget+29").await, slice::from_ref(&file));
    assert_eq!(ids(&ada, "text=budget+%2213%22").await, [file]);
    let segments = samples::number(&stage, "SELECT count(*) AS number FROM search_segments").await;
    assert!((1..4).contains(&segments), "{segments}");
    let entries = "SELECT CAST(sum(entries) AS BIGINT) AS number FROM search_segments";
    assert!(samples::number(&stage, entries).await < 4);
    assert_eq!(differences(&stage).await, []);
}

#[shared_testing::test]
async fn several_builders_do_no_harm() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    for number in 0..60 {
        samples::document_of(&ada, &[&format!("budget {number}")]).await;
        if number % 20 == 7 {
            // So that the segments of the last time are older than the rebuild.
            stage.clock.advance(Duration::from_secs(1));
            let keep = || job::keep(&stage.context, OWNER);
            let (one, two, three, anew) = tokio::join!(keep(), keep(), keep(), rebuild::rebuild(&stage.context, OWNER));
            assert!(one.is_ok() && two.is_ok() && three.is_ok() && anew.is_ok(), "{one:?} {two:?} {three:?} {anew:?}");
        }
    }
    assert_eq!(ids(&ada, "text=budget").await.len(), 60);
    assert_eq!(differences(&stage).await, []);
    const BROKEN: &str = "SELECT count(*) AS number FROM search_segments a JOIN search_segments b ON a.id <> b.id
        AND a.workspace_id = b.workspace_id AND a.state = 'live' AND b.state = 'live'
        AND a.first_sequence <= b.last_sequence AND b.first_sequence <= a.last_sequence";
    assert_eq!(samples::number(&stage, BROKEN).await, 0, "segments that overlap");
}

#[shared_testing::test]
async fn a_check_sees_what_is_wrong_and_a_rebuild_puts_it_right() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let written = samples::id(&samples::document_of(&ada, &["budget"]).await);
    let lost = samples::id(&samples::document_of(&ada, &["planet"]).await);
    let trashed = samples::id(&samples::document_of(&ada, &["comet"]).await);
    samples::command(&ada, &trashed, "trash", json!({})).await.await.status(200);
    indexed(&stage).await;
    assert_eq!(differences(&stage).await, []);
    // As if a release had written content without a word to the search.
    let number = written.strip_prefix("file_").expect("an id");
    samples::sql(
        &stage,
        &format!("UPDATE versions SET content = replace(content, 'budget', 'gadget') WHERE file_id = {number}"),
    )
    .await;
    let number = lost.strip_prefix("file_").expect("an id");
    samples::sql(&stage, &format!("DELETE FROM search_entries WHERE file_id = {number}")).await;
    assert_eq!(
        differences(&stage).await,
        [
            (written.clone(), "the index has words that the file does not have"),
            (written.clone(), "the index lacks words that the file has"),
            (lost.clone(), "it has no entry"),
        ]
    );
    assert_eq!(ids(&ada, "text=gadget").await, [""; 0]);
    let check = cloud(&stage, &["search", "check"]);
    assert_eq!(check.status.code(), Some(1));
    let first = format!("ws_1 {written}: the index has words that the file does not have\n");
    assert!(String::from_utf8_lossy(&check.stdout).starts_with(&first), "{check:?}");
    assert_eq!(cloud(&stage, &["search", "rebuild", "--workspace", "ws_9"]).status.code(), Some(1));
    let rebuilt = cloud(&stage, &["search", "rebuild", "--workspace", "ws_1"]);
    assert!(rebuilt.status.success(), "{rebuilt:?}");
    assert!(cloud(&stage, &["search", "check"]).status.success());
    assert_eq!(differences(&stage).await, []);
    assert_eq!(ids(&ada, "text=gadget").await, [written]);
    assert_eq!(ids(&ada, "text=planet").await, [lost]);
}
