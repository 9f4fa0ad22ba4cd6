//! `orders-svc export`, and an import that is killed: what is exported in the end is the file, whole.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use orders_svc::{orders::write_all, service};
use rand::RngExt as _;
use serde_json::{Value, json};
use shared_testing::{Stage, run};

use crate::samples::{draft, order, stage_with};

async fn exported(stage: &Stage) -> String {
    let mut out = Vec::new();
    write_all(&stage.desk, &mut out).await.expect("the export runs");
    String::from_utf8(out).expect("JSON")
}

fn orders(stage: &Stage) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orders-svc"));
    command
        .env_clear()
        .env("DATABASE_URL", &stage.desk.settings.database_url)
        .env("SERVICE_SECRET", "0123456789abcdef0123456789abcdef")
        .stderr(Stdio::null());
    command
}

#[test]
fn what_is_exported_and_imported_elsewhere_is_exported_the_same() {
    run(async {
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
    });
}

#[test]
fn the_command_writes_a_file_that_is_there_only_when_it_is_whole() {
    run(async {
        let stage = stage_with(&[order("ada", 1), order("ada", 2)]).await;
        let file = stage.folder().join("out.jsonl");
        let status = orders(&stage).arg("export").arg(&file).status().expect("the command runs");
        assert!(status.success());
        assert_eq!(fs::read_to_string(&file).expect("the file"), exported(&stage).await);
        assert!(!stage.folder().join("out.jsonl.partial").exists());
        let printed = orders(&stage).arg("export").output().expect("the command runs");
        assert_eq!(printed.stdout, fs::read(&file).expect("the file"));
    });
}

/// A file of this many orders, as the export of them would be.
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

#[test]
fn an_import_that_is_killed_again_and_again_ends_with_exactly_the_orders_of_the_file() {
    run(async {
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
    });
}

#[test]
fn a_strict_import_that_is_killed_leaves_nothing() {
    run(async {
        let stage = Stage::of(service()).await;
        let (file, _) = file_of(&stage, 6000);
        let mut import = orders(&stage).args(["import", "--strict"]).arg(&file).spawn().expect("the command starts");
        // What it has written so far is nobody's to see.
        let pause = rand::rng().random_range(0..300);
        std::thread::sleep(Duration::from_millis(pause));
        import.kill().expect("our own child can be killed");
        import.wait().expect("our own child can be waited for");
        let left = stage.count("orders");
        assert!(left == 0 || left == 6000, "{left} orders");
        let status = orders(&stage).args(["import", "--strict"]).arg(&file).status().expect("the command runs");
        assert!(status.success());
        assert_eq!(stage.count("orders"), 6000);
    });
}
