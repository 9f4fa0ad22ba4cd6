//! What one hostile client does with connections takes down nobody else. `./soak` does more of it, for longer.

use std::{fs, os::unix::fs::PermissionsExt as _, time::Duration};

use cloud_svc::service;
use shared_testing::{
    Relay, ServiceProcess,
    attacks::{beside, idle_connections, new_clients, pipelining, unfinished_handshakes},
    free_address, servers,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cloud-svc");
const LENGTH: Duration = Duration::from_secs(2);

#[shared_testing::test]
async fn pipelined_requests_whose_answers_nobody_reads_do_not_fill_the_memory() {
    let cloud = ServiceProcess::of(PROGRAM, service(), &[]).await;
    let address = cloud.address();
    let attack = beside(move || pipelining(address, 64, LENGTH));
    let others = new_clients(address, "/n", LENGTH).await;
    assert!(attack.join().expect("it ends") > 1 << 20, "the service was attacked");
    assert!(others.slowest() < Duration::from_secs(30), "everybody was answered");
    let status = fs::read_to_string(format!("/proc/{}/status", cloud.pid())).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its most memory");
    let kib: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kib < 150 << 10, "{kib} KiB");
}

#[shared_testing::test]
async fn tls_handshakes_that_go_on_for_ever_hold_up_no_client_without_tls() {
    let folder = tempfile::tempdir().expect("a folder");
    let (chain, key) = shared_testing::certificate(folder.path());
    let tls = free_address();
    let environment = [
        ("TLS_LISTEN_ADDR", &*tls.to_string()),
        ("TLS_CERTIFICATES", &*chain.display().to_string()),
        ("TLS_KEY", &*key.display().to_string()),
    ];
    let cloud = ServiceProcess::of(PROGRAM, service(), &environment).await;
    let attack = beside(move || unfinished_handshakes(tls, 400, LENGTH));
    let others = new_clients(cloud.address(), "/n", LENGTH).await;
    assert!(attack.join().expect("it ends") > 200, "the service was attacked");
    assert!(others.slowest() < Duration::from_secs(30), "everybody was answered");
}

#[shared_testing::test]
async fn idle_connections_beyond_the_limit_of_open_files_make_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let limited = folder.path().join("limited");
    fs::write(&limited, format!("#!/bin/sh\nulimit -n 256\nexec {PROGRAM} \"$@\"\n")).expect("the file is written");
    fs::set_permissions(&limited, fs::Permissions::from_mode(0o700)).expect("the file is ours");
    let cloud = ServiceProcess::on(limited, service(), servers::of_this_run(), &[]).await;
    let idle = idle_connections(cloud.address(), 600).await;
    assert!(idle.taken() > 500, "{} were taken", idle.taken());
    let others = new_clients(cloud.address(), "/n", Duration::from_secs(1)).await;
    assert!(others.slowest() < Duration::from_secs(30), "everybody was answered");
    assert_eq!(cloud.ready().await, 200, "the operator's listener has descriptors of its own");
}

#[shared_testing::test]
async fn a_database_that_is_frozen_keeps_nobody_waiting_and_does_not_hold_up_a_stop() {
    // A file does not freeze.
    let Some(servers) = servers::of_this_run() else { return };
    let relay = Relay::to(servers.postgres_address());
    let behind = servers.behind(relay.address);
    let mut cloud = ServiceProcess::on(PROGRAM, service(), Some(behind), &[]).await;
    let ada = cloud.caller("ada");
    ada.get("/v1/workspaces").await.status(200);
    relay.freeze();
    let waiting = (0..8).map(|_| ada.get("/v1/workspaces"));
    for answer in shared_testing::together(waiting).await {
        answer.refused(503, "temporarily_unavailable");
    }
    cloud.signal("TERM");
    assert!(cloud.ended().await.success());
    // So that the database can be dropped.
    relay.thaw();
}
