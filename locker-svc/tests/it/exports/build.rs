//! Building exports: in one go, after interruptions, twice at once, of files and of folders.

use std::{
    fs,
    io::Read as _,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::PathBuf,
    process::{Command, Output, Stdio},
    time::Duration,
};

use locker_svc::{
    exports::{Export, ExportState, build::build, collect_garbage, manifest, store},
    ids::ExportId,
};
use sha2::{Digest as _, Sha256};
use shared_testing::Stage;
use tokio::sync::oneshot;

use super::{bytes, export, file, links, order, stage};
use crate::samples::id;

const MIB: u64 = 1 << 20;

/// An export of room 1 whose build was dropped after two of its four parts; and its source.
pub async fn interrupted(stage: &Stage) -> (ExportId, PathBuf) {
    let path = file(stage, "package.bin", &bytes(3_500_000));
    let (stop, stopped) = oneshot::channel();
    let mut stop = Some(stop);
    let mut watch = |progress: locker_svc::exports::build::Progress| {
        if progress.done >= 2 * MIB
            && let Some(stop) = stop.take()
        {
            stop.send(()).expect("somebody waits");
        }
    };
    tokio::select! {
        biased;
        _ = stopped => {}
        _ = build(&stage.context, order(1, &path, MIB), &mut watch) => panic!("stopped before its end"),
    }
    let all = stage.context.read(|conn| Ok(store::all(conn)?)).await.expect("exports");
    assert_eq!((all.len(), all[0].state), (1, ExportState::Building));
    assert_eq!(stage.count("export_parts"), 2);
    (all[0].id, path)
}

async fn again(stage: &Stage, path: &std::path::Path, restart: bool) -> Result<Export, String> {
    let mut order = order(1, path, MIB);
    order.restart = restart;
    build(&stage.context, order, &mut |_| {}).await.map_err(|unbuilt| unbuilt.to_string())
}

/// Everything that the links of the first page lead to, in order.
async fn fetched(stage: &Stage, export: &Export) -> Vec<u8> {
    let mut whole = Vec::new();
    for link in links(stage, &stage.caller("ada"), export).await {
        whole.extend_from_slice(stage.anyone().get(link).await.status(200).bytes());
    }
    whole
}

#[shared_testing::test]
async fn a_build_that_was_interrupted_goes_on_where_it_was() {
    let stage = stage().await;
    let (begun, path) = interrupted(&stage).await;
    let export = again(&stage, &path, false).await.expect("the rest");
    assert_eq!((export.id, export.part_count, export.state), (begun, Some(4), ExportState::Ready));
    assert!(fetched(&stage, &export).await == fs::read(&path).expect("the source"));
    let sha256 = hex::encode(Sha256::digest(fs::read(&path).expect("the source")));
    assert_eq!(export.sha256, Some(sha256));
}

#[shared_testing::test]
async fn a_source_that_changed_meanwhile_is_told_and_can_be_built_anew() {
    let stage = stage().await;
    let (begun, path) = interrupted(&stage).await;
    let mut changed = bytes(3_500_000);
    changed[5] ^= 1;
    fs::write(&path, &changed).expect("written");
    let told = again(&stage, &path, false).await.expect_err("changed");
    assert!(told.contains("has changed") && told.contains("part 0") && told.contains("--restart"), "{told}");
    fs::write(&path, &changed[..1000]).expect("written");
    assert!(again(&stage, &path, false).await.expect_err("shorter").contains("has changed"));
    let mut coarser = order(1, &path, 2 * MIB);
    let told = build(&stage.context, coarser.clone(), &mut |_| {}).await.expect_err("other parts").to_string();
    assert!(told.contains("--part-bytes 1048576"), "{told}");

    coarser.restart = true;
    let anew = build(&stage.context, coarser, &mut |_| {}).await.expect("anew");
    assert_ne!(anew.id, begun);
    assert!(fetched(&stage, &anew).await == changed[..1000]);
    stage.caller("ada").get(format!("/api/v1/exports/{begun}/parts")).await.refused(404, "export_failed");
    let left = stage.folder().join(format!("blobs/exports/{begun}"));
    assert!(!left.exists(), "the parts of the one that was given up are gone");
}

#[shared_testing::test]
async fn two_builds_of_one_source_at_once_come_to_one_export() {
    let stage = stage().await;
    let path = file(&stage, "package.bin", &bytes(3_500_000));
    let builds = (0..4).map(|_| async { again(&stage, &path, false).await.expect("an export") });
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
    let mut chosen = order(1, &path, 4);
    chosen.id = Some(first.id);
    let known = build(&stage.context, chosen, &mut |_| {}).await.expect("the first");
    assert_eq!(known, first);
}

#[shared_testing::test]
async fn a_folder_is_one_archive_that_depends_on_its_content_alone() {
    let stage = stage().await;
    let make = |name: &str, order: &[&str]| {
        let folder = stage.folder().join(name).join("room");
        fs::create_dir_all(folder.join("b/empty")).expect("folders");
        for file in order {
            fs::write(folder.join(file), format!("this is {file}")).expect("a file");
        }
        let long = "n".repeat(150);
        fs::write(folder.join(&long), "long").expect("a file");
        fs::set_permissions(folder.join("b/run"), fs::Permissions::from_mode(0o755)).expect("a right");
        symlink("../a.txt", folder.join("b/link")).expect("a link");
        symlink("/etc/nowhere", folder.join("dangling")).expect("a link");
        folder
    };
    let one = make("one", &["a.txt", "b/run", "b/c.txt", "ä.txt"]);
    let two = make("two", &["ä.txt", "b/c.txt", "a.txt", "b/run"]);
    let one = build(&stage.context, order(1, &one, 1000), &mut |_| {}).await.expect("an export");
    let two = build(&stage.context, order(1, &two, 1000), &mut |_| {}).await.expect("an export");
    assert_eq!((&one.sha256, &one.file_name), (&two.sha256, &"room.tar".to_owned()));

    let whole = fetched(&stage, &one).await;
    let mut archive = tar::Archive::new(whole.as_slice());
    let entries: Vec<_> = archive
        .entries()
        .expect("an archive")
        .map(|entry| {
            let mut entry = entry.expect("an entry");
            let path = entry.path().expect("a path").display().to_string();
            let mut text = String::new();
            entry.read_to_string(&mut text).expect("text");
            let link = entry.link_name().expect("a link").map(|to| to.display().to_string()).unwrap_or_default();
            let mode = entry.header().mode().expect("a mode");
            format!("{} {mode:o} {text}{link}", path.replace(&"n".repeat(150), "nnn"))
        })
        .collect();
    insta::assert_debug_snapshot!(entries, @r#"
    [
        "room 755 ",
        "room/a.txt 644 this is a.txt",
        "room/b 755 ",
        "room/b/c.txt 644 this is b/c.txt",
        "room/b/empty 755 ",
        "room/b/link 777 ../a.txt",
        "room/b/run 755 this is b/run",
        "room/dangling 777 /etc/nowhere",
        "room/nnn 644 long",
        "room/ä.txt 644 this is ä.txt",
    ]
    "#);
}

#[shared_testing::test]
async fn what_cannot_be_packed_is_told() {
    let stage = stage().await;
    let folder = stage.folder().join("odd");
    fs::create_dir(&folder).expect("a folder");
    let _listener = std::os::unix::net::UnixListener::bind(folder.join("socket")).expect("a socket");
    let try_build = async |order| build(&stage.context, order, &mut |_| {}).await.expect_err("refused").to_string();
    let told = try_build(order(1, &folder, 100_000)).await;
    assert!(told.contains("odd/socket") && told.contains("cannot be packed"), "{told}");
    assert!(told.contains("stays unfinished: the same command goes on with it"), "{told}");
    fs::remove_file(folder.join("socket")).expect("removed");
    let went_on = build(&stage.context, order(1, &folder, 100_000), &mut |_| {}).await.expect("an export");
    assert!(told.contains(&went_on.id.to_string()), "{told}");
    let told = try_build(order(1, &stage.folder().join("missing"), 10)).await;
    assert!(told.contains("missing"), "{told}");
    let told = try_build(order(77, &file(&stage, "x", b"x"), 10)).await;
    assert!(told.contains(&id("room", 77)), "{told}");
    let told = try_build(order(1, stage.folder(), 100_000)).await;
    assert!(told.contains("holds the blob store"), "{told}");
    let told = try_build(order(1, &file(&stage, "many", &bytes(501)), 1)).await;
    assert!(told.contains("at most 500 parts") && told.contains("--part-bytes 2"), "{told}");
}

#[shared_testing::test]
async fn garbage_collection_leaves_what_is_referred_to() {
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

fn locker(stage: &Stage) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_locker-svc"));
    command
        .env_clear()
        .env("DATABASE_URL", &stage.context.settings.database_url)
        .env("SERVICE_SECRET", "0123456789abcdef0123456789abcdef")
        .env("BLOB_STORE", format!("file:{}", stage.folder().join("blobs").display()))
        .stdin(Stdio::null());
    command
}

fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[shared_testing::test]
async fn a_build_that_is_killed_again_and_again_comes_to_the_same_whole() {
    let stage = stage().await;
    let whole = bytes(24 << 20);
    let path = file(&stage, "package.bin", &whole);
    let build = || {
        let mut command = locker(&stage);
        command.args(["export", "build", "--part-bytes", "512KiB", "--room", &id("room", 1)]).arg(&path);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
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
        if stage.context.read(|conn| Ok(store::all(conn)?)).await.expect("exports").iter().any(|e| e.ready_at.is_some())
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
    assert!(output.status.success(), "{}", told(&output));
    let exports = stage.context.read(|conn| Ok(store::all(conn)?)).await.expect("exports");
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
            let mut command = locker(&stage);
            command.args(["export", "build", "--part-bytes", "256KiB", "--room", &id("room", 1)]).arg(&path);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
        })
        .collect();
    let mut ids = Vec::new();
    for process in started {
        let output = process.wait_with_output().expect("it runs");
        assert!(output.status.success(), "{}", told(&output));
        ids.push(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let exports = stage.context.read(|conn| Ok(store::all(conn)?)).await.expect("exports");
    // One may have begun when the other was done already: then there are two, both whole.
    ids.sort();
    ids.dedup();
    assert_eq!(exports.len(), ids.len());
    let sha256 = hex::encode(Sha256::digest(fs::read(&path).expect("the source")));
    assert!(exports.iter().all(|export| (export.state, export.sha256.as_ref()) == (ExportState::Ready, Some(&sha256))));
    assert_eq!(stage.count("export_parts"), 32 * exports.len() as i64);
}

#[shared_testing::test]
async fn an_operator_builds_lists_and_revokes() {
    let stage = stage().await;
    let path = file(&stage, "package.bin", b"a small package");
    let room = id("room", 1);
    let output = locker(&stage)
        .args(["export", "build", "--room", &room, "--part-bytes", "8", "--expires-in", "7d"])
        .arg(&path)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", told(&output));
    let export = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    stage.caller("ada").get(format!("/api/v1/exports/{export}/parts")).await.status(200);

    let output = locker(&stage).args(["export", "list"]).output().expect("it runs");
    assert!(
        told(&output).contains(&format!("{export} {room} ready      2 parts           15 bytes")),
        "{}",
        told(&output)
    );
    let output = locker(&stage).args(["export", "revoke", &export]).output().expect("it runs");
    assert!(told(&output).contains("revoked"), "{}", told(&output));
    stage.caller("ada").get(format!("/api/v1/exports/{export}/parts")).await.refused(404, "export_revoked");
    let output = locker(&stage).args(["export", "revoke", &id("exp", 9)]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let output = locker(&stage).args(["export", "gc"]).output().expect("it runs");
    assert!(told(&output).contains("0 expired, 0 given up, 0 blobs removed"), "{}", told(&output));
    let output = locker(&stage).args(["export", "key"]).output().expect("it runs");
    let secret = shared_model::Secret::from_text("0123456789abcdef0123456789abcdef").expect("long enough");
    let key = hex::encode(manifest::signing_key(&secret).verifying_key().as_bytes());
    assert_eq!(told(&output).trim(), key);
}

#[shared_testing::test]
async fn no_export_lives_longer_than_can_be_written_and_none_dies_at_birth() {
    let stage = stage().await;
    let path = file(&stage, "package.bin", b"a small package");
    for span in ["0s", "1ns", "101years", "100000000y"] {
        let output = locker(&stage)
            .args(["export", "build", "--room", &id("room", 1), "--expires-in", span])
            .arg(&path)
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{span}: {}", told(&output));
    }
    let mut endless = order(1, &path, 8);
    endless.expires_in = Some(Duration::MAX);
    let export = build(&stage.context, endless, &mut |_| {}).await.expect("an export");
    stage.caller("ada").get(format!("/api/v1/exports/{}/parts", export.id)).await.status(200);
    let output = locker(&stage).args(["export", "list"]).output().expect("it runs");
    assert!(told(&output).contains("expires 9999-12-31T23:59:59.999999Z"), "{}", told(&output));
}
