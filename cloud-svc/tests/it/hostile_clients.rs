//! A hostile client's connections do not harm other clients. `./soak` tests more of this, for longer.

use std::{fs, os::unix::fs::PermissionsExt as _, time::Duration};

use cloud_svc::service;
use serde_json::json;
use shared_runtime::identity::REVOCATION_DELAY;
use shared_testing::{
    Relay, ServiceProcess,
    attacks::{beside, idle_connections, new_clients, pipelining, unfinished_handshakes},
    free_address, servers,
};
use tokio::time::timeout;

const PROGRAM: &str = env!("CARGO_BIN_EXE_cloud-svc");
const LENGTH: Duration = Duration::from_secs(2);
/// More than twice the documented time, because the machine has other work.
const PATIENCE: Duration = Duration::from_secs(25);

#[shared_testing::test]
async fn pipelined_requests_whose_answers_nobody_reads_do_not_fill_the_memory() {
    let cloud = ServiceProcess::of(PROGRAM, service(), &[]).await;
    cloud.anyone().get("/v1/service").await.status(200);
    let before = peak_kib(&cloud);
    let address = cloud.address();
    let attack = beside(move || pipelining(address, 64, LENGTH));
    assert!(attack.join().expect("it ends") > 1 << 20, "the service was attacked");
    cloud.anyone().get("/v1/service").await.status(200);
    let grown = peak_kib(&cloud).saturating_sub(before);
    assert!(grown < 40 << 10, "{grown} KiB more than the {before} KiB before");
}

/// Peak memory of the service, including its program, which is large in a debug build.
fn peak_kib(cloud: &ServiceProcess) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", cloud.pid())).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its most memory");
    peak.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[shared_testing::test]
async fn endless_tls_handshakes_do_not_delay_clients_without_tls() {
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
    // A client that waits for a slot waits for seconds.
    assert!(others.count() >= 10, "{} were answered in {LENGTH:?}", others.count());
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
    let others = new_clients(cloud.address(), "/n", LENGTH).await;
    assert!(others.count() >= 10, "{} were answered in {LENGTH:?}", others.count());
    assert_eq!(cloud.ready().await, 200, "the operator's listener has descriptors of its own");
}

#[shared_testing::test]
async fn a_frozen_database_delays_neither_answers_nor_a_stop() {
    let servers = servers::of_this_run();
    let relay = servers.as_ref().map(|servers| Relay::to(servers.postgres_address()));
    let behind = servers.zip(relay.as_ref()).map(|(servers, relay)| servers.behind(relay.address));
    let mut cloud = ServiceProcess::on(PROGRAM, service(), behind, &[]).await;
    let ada = cloud.caller("ada");
    let create = || ada.post("/v1/documents").fresh_key().json(json!({"name": "Plan"}));
    create().await.status(200);
    match &relay {
        Some(relay) => relay.freeze(),
        // A SQLite file cannot freeze, but another process can hold its write lock.
        None => cloud.lose_database(),
    }
    let at_once = shared_testing::together((0..8).map(|_| create()));
    // By then each process's list of revoked grants is too old, so it queries the database.
    let later = async {
        tokio::time::sleep(2 * REVOCATION_DELAY).await;
        shared_testing::together((0..8).map(|_| create())).await
    };
    let (at_once, later) =
        timeout(PATIENCE, futures_util::future::join(at_once, later)).await.expect("nobody waits forever");
    for answer in at_once.into_iter().chain(later) {
        answer.refused(503, "temporarily_unavailable");
    }
    cloud.signal("TERM");
    assert!(timeout(PATIENCE, cloud.ended()).await.expect("it ends").success());
    // Otherwise the database could not be dropped.
    match &relay {
        Some(relay) => relay.thaw(),
        None => cloud.find_database(),
    }
}
