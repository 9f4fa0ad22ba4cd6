//! Disks that are full or read-only, under a SQLite file.

use std::{fs, os::unix::fs::PermissionsExt as _};

use orders_svc::service;
use serde_json::json;
use shared_runtime::Clock;
use shared_testing::{Caller, Request, ServiceProcess, disks};

use crate::samples::{PREFIX, wanted};

async fn orders() -> ServiceProcess {
    ServiceProcess::bounded(env!("CARGO_BIN_EXE_orders-svc"), service(), None, &[]).await
}

fn place(caller: &Caller) -> Request {
    caller.post(PREFIX).key("one").json(wanted())
}

#[shared_testing::test]
async fn a_full_disk_refuses_an_order_that_is_placed_once_when_there_is_room() {
    let orders = orders().await;
    let ada = orders.caller("ada");
    let placed =
        disks::refuses_commands_alone(&orders, &service(), "create_order", || place(&ada), || ada.get(PREFIX)).await;
    assert_eq!(placed.status, 200, "{placed}");
    let again = place(&ada).await.status(200);
    assert_eq!((&again["data"], &again["meta"]["replayed"]), (&placed["data"], &json!(true)));
    assert_eq!(orders.count("orders"), 1);
}

#[shared_testing::test]
async fn who_comes_with_a_renewed_token_reads_from_a_full_disk() {
    let orders = orders().await;
    let ada = orders.caller("ada");
    ada.get(PREFIX).await.status(200);
    orders.limit_files(Some(0));
    let later = Clock::System.now().seconds() + 7_200;
    let renewed = ada.clone().claim("exp", later);
    renewed.get(PREFIX).await.status(200);
    disks::is_refused(place(&renewed)).await;
    // A grant that was never seen cannot be recorded.
    disks::is_refused(orders.caller("bob").get(PREFIX)).await;
    orders.limit_files(None);
    // The later end is recorded as soon as there is room.
    renewed.get(PREFIX).await.status(200);
    let grants = &shared_testing::database::dump(orders.database_url(), &[])["grants"];
    assert!(grants.contains(&later.to_string()), "{grants}");
    place(&renewed).await.status(200);
    orders.caller("bob").get(PREFIX).await.status(200);
}

#[shared_testing::test]
async fn a_start_on_a_full_disk_serves_reads_or_says_why_not() {
    let mut orders = orders().await;
    let ada = orders.caller("ada");
    disks::starts_or_says_why(&mut orders, &[], || ada.get(PREFIX)).await;
    place(&ada).await.status(200);
    assert_eq!(orders.count("orders"), 1);
}

#[shared_testing::test]
async fn a_file_that_may_not_be_written_is_not_served() {
    let mut orders = orders().await;
    let ada = orders.caller("ada");
    let placed = place(&ada).await.status(200);
    orders.kill();
    for name in ["stage.sqlite", "stage.sqlite-wal", "stage.sqlite-shm"] {
        let path = orders.folder().join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).expect("it is ours");
        let said = disks::sentence(&mut orders.command(&[]));
        assert!(said.contains(&format!("may not write {}: Permission denied", path.display())), "{said}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("it is ours");
    }
    orders.start(&[]).await;
    assert_eq!(place(&ada).await.status(200)["data"], placed["data"]);
    assert_eq!(orders.count("orders"), 1);
}
