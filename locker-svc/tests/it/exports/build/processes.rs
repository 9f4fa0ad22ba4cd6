//! Builds by processes that are killed, and by two at once.

use std::{fs, process::Stdio, time::Duration};

use locker_svc::exports::{ExportState, store};
use sha2::{Digest as _, Sha256};

use crate::{
    command_line::{command, output_text},
    exports::{bytes, file, stage},
    samples::id,
};

#[shared_testing::test]
async fn a_build_that_is_killed_repeatedly_gives_the_same_export() {
    let stage = stage().await;
    let whole = bytes(24 << 20);
    let path = file(&stage, "package.bin", &whole);
    let build = || {
        let room = id("room", 1);
        let arguments = ["export", "build", "--part-bytes", "512KiB", "--room", &room];
        let mut command = command(&stage, &arguments);
        command.arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let mut kills = 0;
    for pause in [40, 60, 90, 130, 170, 220, 280, 350] {
        let mut process = build().spawn().expect("it starts");
        tokio::time::sleep(Duration::from_millis(pause)).await;
        if process.try_wait().expect("our own child").is_none() {
            kills += 1;
        }
        process.kill().expect("our own child");
        process.wait().expect("our own child");
        if stage
            .context
            .read(|conn| Ok(store::list_all(conn)?))
            .await
            .expect("exports")
            .iter()
            .any(|e| e.ready_at.is_some())
        {
            break;
        }
    }
    assert!(kills > 0, "it was never killed: the test shows nothing");
    let finished = tokio::task::spawn_blocking({
        let mut command = build();
        move || command.output().expect("it runs")
    });
    let output = finished.await.expect("no panic");
    assert!(output.status.success(), "{}", output_text(&output));
    let exports = stage.context.read(|conn| Ok(store::list_all(conn)?)).await.expect("exports");
    let ready: Vec<_> = exports.iter().filter(|export| export.state == ExportState::Ready).collect();
    assert_eq!(exports.len(), ready.len(), "nothing half-ready: {exports:?}");
    assert_eq!(ready[0].sha256, Some(hex::encode(Sha256::digest(&whole))));
    assert_eq!(ready[0].part_count, Some(48));
}

#[shared_testing::test]
async fn two_processes_that_build_one_source_at_once_both_succeed() {
    let stage = stage().await;
    let path = file(&stage, "package.bin", &bytes(8 << 20));
    let started: Vec<_> = (0..2)
        .map(|_| {
            let room = id("room", 1);
            let arguments = ["export", "build", "--part-bytes", "256KiB", "--room", &room];
            let mut command = command(&stage, &arguments);
            command.arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
        })
        .collect();
    let mut ids = Vec::new();
    for process in started {
        let output = process.wait_with_output().expect("it runs");
        assert!(output.status.success(), "{}", output_text(&output));
        ids.push(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let exports = stage.context.read(|conn| Ok(store::list_all(conn)?)).await.expect("exports");
    // One may have begun when the other was done already: then there are two, both whole.
    ids.sort();
    ids.dedup();
    assert_eq!(exports.len(), ids.len());
    let sha256 = hex::encode(Sha256::digest(fs::read(&path).expect("the source")));
    assert!(exports.iter().all(|export| (export.state, export.sha256.as_ref()) == (ExportState::Ready, Some(&sha256))));
    assert_eq!(stage.count("export_parts"), 32 * exports.len() as i64);
}
