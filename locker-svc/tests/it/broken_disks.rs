//! Disks that are full, under a SQLite file.

use std::{fs, time::Duration};

use locker_svc::service;
use shared_testing::{Caller, Request, ServiceProcess, disks, hostile_server::HostileServer};

use crate::{
    connection_tests::path,
    model_server as model,
    samples::{attest_by_command, room, subscription, succeed},
};

const SETTINGS: [(&str, &str); 1] = [("OUTBOUND_ALLOW", "127.0.0.1")];

/// A locker with room 1 of ada's, with this model.
async fn locker(model: &HostileServer) -> ServiceProcess {
    let locker = ServiceProcess::bounded(env!("CARGO_BIN_EXE_locker-svc"), service(), None, &SETTINGS).await;
    attest_by_command(&locker);
    succeed(&locker, &["import", &file(&locker, &room("ada", 1, 1, &model::url(model)).to_string())]);
    locker
}

/// A file to import.
fn file(locker: &ServiceProcess, lines: &str) -> String {
    let file = locker.folder().join("lines.jsonl");
    fs::write(&file, lines).expect("the file is written");
    file.display().to_string()
}

fn queue(caller: &Caller) -> Request {
    caller.post(path(1)).key("one")
}

fn list(caller: &Caller) -> Request {
    caller.get("/api/v1/billing/subscriptions")
}

#[shared_testing::test]
async fn a_full_disk_refuses_a_model_test_that_runs_once_when_there_is_room() {
    let model = model::saying("ready");
    let locker = locker(&model).await;
    let ada = locker.caller("ada");
    let accepted =
        disks::refuses_commands_alone(&locker, &service(), "queue_model_test", || queue(&ada), || list(&ada)).await;
    assert_eq!(accepted.status, 202, "{accepted}");
    while locker.count("operations WHERE finished_at IS NOT NULL") == 0 {
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    assert_eq!(locker.count("operations WHERE status = 'succeeded'"), 1);
    let again = queue(&ada).await.status(200);
    assert_eq!(again["data"]["operation_id"], accepted["data"]["operation_id"]);
    assert_eq!((locker.count("operations"), model::chats(&model)), (1, 1));
}

#[shared_testing::test]
async fn an_import_on_a_full_disk_stores_nothing_and_succeeds_when_there_is_room() {
    let model = model::saying("ready");
    let locker = locker(&model).await;
    let lines: Vec<_> = (1..=60).map(|number| subscription("ada", number, number % 60).to_string()).collect();
    let file = file(&locker, &lines.join("\n"));
    let import = ["import", &file];
    let said = disks::sentence(locker.command(&import).env("FILE_BLOCKS", "0"));
    assert!(said.contains("disk I/O error"), "{said}");
    assert_eq!(locker.count("subscriptions"), 0);
    for _ in 0..2 {
        succeed(&locker, &import);
        assert_eq!(locker.count("subscriptions"), 60);
    }
}

#[shared_testing::test]
async fn a_start_on_a_full_disk_serves_reads_or_says_why_not() {
    let model = model::saying("ready");
    let mut locker = locker(&model).await;
    let ada = locker.caller("ada");
    disks::starts_or_says_why(&mut locker, &SETTINGS, || list(&ada)).await;
    queue(&ada).await.status(202);
}
