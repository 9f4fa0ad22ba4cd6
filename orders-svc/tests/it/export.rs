//! `orders-svc export`, and imports that are killed: in the end an export equals the imported file.

use std::{
    fs,
    os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use orders_svc::{orders::write_all, service};
use rand::RngExt as _;
use serde_json::{Value, json};
use shared_testing::Stage;

use crate::samples::{draft, order, stage_with};

async fn exported(stage: &Stage) -> String {
    let mut out = Vec::new();
    write_all(&stage.context, &mut out).await.expect("the export runs");
    String::from_utf8(out).expect("JSON")
}

fn orders(stage: &Stage) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orders-svc"));
    command
        .env_clear()
        .env("DATABASE_URL", &stage.context.settings.database_url)
        .env("SERVICE_SECRET", shared_testing::SERVICE_SECRET)
        .stderr(Stdio::null());
    command
}

#[shared_testing::test]
async fn an_export_that_is_imported_elsewhere_is_exported_identically() {
    let mut noted = order("Ünïcode Owner", 700);
    noted["order"]["timeline"][0]["note"] = json!("„As agreed.“");
    let mut lines: Vec<_> = (1..=600).map(|number| order("ada", number)).collect();
    lines.extend([draft("bob", 601), noted]);
    let stage = stage_with(&lines).await;
    let first = exported(&stage).await;
    assert_eq!(first.lines().count(), 602);
    let parsed: Vec<Value> = first.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(parsed.is_sorted_by_key(|line| line["order"]["id"].to_string()), "by id");

    let elsewhere = stage_with(&parsed).await;
    assert_eq!(exported(&elsewhere).await, first);
}

#[shared_testing::test]
async fn the_command_writes_a_file_that_appears_only_when_complete() {
    let stage = stage_with(&[order("ada", 1), order("ada", 2)]).await;
    let file = stage.folder().join("out.jsonl");
    let status = orders(&stage).arg("export").arg(&file).status().expect("the command runs");
    assert!(status.success());
    assert_eq!(fs::read_to_string(&file).expect("the file"), exported(&stage).await);
    assert_eq!(mode(&file), 0o600);
    assert_eq!(partial(&stage), 0);
    for standard_output in [&["export"][..], &["export", "-"]] {
        let printed = orders(&stage).args(standard_output).output().expect("the command runs");
        assert_eq!(printed.stdout, fs::read(&file).expect("the file"));
    }
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).expect("the file").permissions().mode() & 0o777
}

/// Unfinished files beside the database.
fn partial(stage: &Stage) -> usize {
    let names = fs::read_dir(stage.folder()).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".partial")).count()
}

#[shared_testing::test]
async fn an_export_does_not_replace_links_pipes_or_devices() {
    let stage = stage_with(&[order("ada", 1), order("ada", 2)]).await;
    let whole = exported(&stage).await;
    let (file, link, pipe) =
        (stage.folder().join("file.jsonl"), stage.folder().join("link"), stage.folder().join("pipe"));
    fs::write(&file, "old").expect("the file is written");
    symlink("file.jsonl", &link).expect("the link is made");
    assert!(orders(&stage).arg("export").arg(&link).status().expect("the command runs").success());
    assert!(link.is_symlink(), "the link is still one");
    assert_eq!((fs::read_to_string(&file).expect("the file"), mode(&file)), (whole.clone(), 0o600));

    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().expect("cat runs");
    assert!(orders(&stage).arg("export").arg(&pipe).status().expect("the command runs").success());
    assert_eq!(reader.wait_with_output().expect("cat ends").stdout, whole.as_bytes());
    assert!(fs::metadata(&pipe).expect("the pipe").file_type().is_fifo(), "the pipe is still one");

    assert!(orders(&stage).args(["export", "/dev/null"]).status().expect("the command runs").success());
    assert!(fs::metadata("/dev/null").expect("the device").file_type().is_char_device());
    assert_eq!(partial(&stage), 0);
}

#[shared_testing::test]
async fn an_export_that_cannot_be_written_names_its_path_and_leaves_nothing_behind() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let dangling = stage.folder().join("dangling");
    symlink("nothing", &dangling).expect("the link is made");
    let nowhere = stage.folder().join("no/such/folder");
    for path in [&dangling, &nowhere, &stage.folder().to_owned()] {
        let output = orders(&stage).stderr(Stdio::piped()).arg("export").arg(path).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1));
        let response = String::from_utf8_lossy(&output.stderr);
        assert!(response.contains(&format!("error: {}: ", path.display())), "{response}");
    }
    assert_eq!(partial(&stage), 0);
}

/// A file of this many orders, in the form of an export.
fn file_of(stage: &Stage, count: u32) -> (PathBuf, String) {
    let text: String = (1..=count).map(|number| format!("{}\n", order("ada", number))).collect();
    let file = stage.folder().join("orders.jsonl");
    fs::write(&file, &text).expect("the file is written");
    (file, text)
}

fn killed_at_random(stage: &Stage, arguments: &[&str], file: &Path) {
    let mut import = orders(stage).args(arguments).arg(file).spawn().expect("the command starts");
    let before = stage.count("orders");
    let target = before + rand::rng().random_range(0..1500);
    while stage.count("orders") < target && import.try_wait().expect("our own child").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    import.kill().expect("our own child can be killed");
    import.wait().expect("our own child can be waited for");
}

#[shared_testing::test]
async fn an_import_that_is_killed_again_and_again_ends_with_exactly_the_orders_of_the_file() {
    let stage = Stage::of(service()).await;
    let (file, text) = file_of(&stage, 6000);
    for _ in 0..5 {
        killed_at_random(&stage, &["import"], &file);
        let whole: Vec<Value> =
            exported(&stage).await.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(whole.iter().all(|line| line["order"]["lines"].as_array().is_some_and(|lines| lines.len() == 2)));
    }
    let status = orders(&stage).arg("import").arg(&file).status().expect("the command runs");
    assert!(status.success());
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let undisturbed = stage_with(&lines).await;
    assert_eq!(exported(&stage).await, exported(&undisturbed).await);
    assert_eq!(stage.count("orders"), 6000);
}

#[shared_testing::test]
async fn a_strict_import_that_is_killed_leaves_nothing() {
    let stage = Stage::of(service()).await;
    let (file, _) = file_of(&stage, 6000);
    let mut import = orders(&stage).args(["import", "--strict"]).arg(&file).spawn().expect("the command starts");
    // Its uncommitted rows are not visible.
    let pause = rand::rng().random_range(0..300);
    std::thread::sleep(Duration::from_millis(pause));
    import.kill().expect("our own child can be killed");
    import.wait().expect("our own child can be waited for");
    let left = stage.count("orders");
    assert!(left == 0 || left == 6000, "{left} orders");
    let status = orders(&stage).args(["import", "--strict"]).arg(&file).status().expect("the command runs");
    assert!(status.success());
    assert_eq!(stage.count("orders"), 6000);
}
