//! Model tests whose workers die. There is one operation for each key, one test at a time for each room, always a final
//! state.

use std::{process::ExitStatus, time::Duration};

use locker_svc::service;
use serde_json::json;
use shared_runtime::base::telemetry::Stopwatch;
use shared_testing::{Caller, Response, ServiceProcess, Text as _, hostile_server::HostileServer};

use super::path;
use crate::{
    model_server as model,
    samples::{attest_by_command, room, succeed},
};

const BINARY: &str = env!("CARGO_BIN_EXE_locker-svc");
/// Leases that run out soon after their worker died.
const SHORT: [(&str, &str); 2] = [("OUTBOUND_ALLOW", "127.0.0.1"), ("FAILPOINTS", "jobs::lease_ms=return(400)")];

/// A locker with these rooms of ada's, all with this model.
async fn locker(model: &HostileServer, rooms: u32, environment: &[(&'static str, &str)]) -> ServiceProcess {
    let child = ServiceProcess::of(BINARY, service(), &[&SHORT, environment].concat()).await;
    attest_by_command(&child);
    let lines: Vec<_> = (1..=rooms).map(|number| room("ada", number, 1, &model::url(model)).to_string()).collect();
    let file = child.folder().join("rooms.jsonl");
    std::fs::write(&file, lines.join("\n")).expect("the file is written");
    succeed(&child, &["import", &file.display().to_string()]);
    child
}

/// Waits until the table has `count` such rows.
async fn until(child: &ServiceProcess, rows: &str, count: i64) {
    while child.count(rows) != count {
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}

async fn operation(caller: &Caller, accepted: &Response) -> Response {
    caller.get(format!("/api/v1/operations/{}", accepted["data"]["operation_id"].text())).await.status(200)
}

const ENDED: &str = "operations WHERE finished_at IS NOT NULL";

#[shared_testing::test]
async fn a_test_survives_its_worker_killed_at_any_step() {
    let steps = [
        ("jobs::claimed", "jobs WHERE holder IS NOT NULL"),
        ("connection_tests::running", "operations WHERE status = 'running'"),
        ("connection_tests::probed", "operations WHERE status = 'running'"),
        ("jobs::settled", "operations WHERE status = 'succeeded'"),
    ];
    for (step, reached) in steps {
        let model = model::saying("ready");
        let mut locker = locker(&model, 1, &[("FAILPOINTS", &format!("{};{step}=return", SHORT[1].1))]).await;
        let ada = locker.caller("ada");
        let accepted = ada.post(path(1)).key("one").await.status(202);
        until(&locker, reached, 1).await;
        while matches!(step, "connection_tests::probed" | "jobs::settled") && model::chats(&model) == 0 {
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        locker.kill();

        locker.start(&SHORT).await;
        until(&locker, ENDED, 1).await;
        let response = operation(&ada, &accepted).await;
        assert_eq!(response["data"]["status"], "succeeded", "killed when {step}: {response}");
        until(&locker, "jobs", 0).await;
        let replay = ada.post(path(1)).key("one").await.status(200);
        assert_eq!(replay["data"]["operation_id"], accepted["data"]["operation_id"], "killed when {step}");
        assert_eq!(locker.count("operations"), 1, "killed when {step}");
        let chats = if step == "connection_tests::probed" { 1..=2 } else { 1..=1 };
        assert!(chats.contains(&model::chats(&model)), "killed when {step}: {} chats", model::chats(&model));
    }
}

#[shared_testing::test]
async fn a_test_whose_workers_always_crash_expires_and_frees_the_room() {
    let model = model::saying("ready");
    let hang = [("FAILPOINTS", "jobs::lease_ms=return(400);connection_tests::running=return")];
    let mut locker = locker(&model, 1, &hang).await;
    let ada = locker.caller("ada");
    let accepted = ada.post(path(1)).key("one").await.status(202);
    for attempt in 1..=3 {
        until(&locker, &format!("jobs WHERE holder IS NOT NULL AND attempts = {attempt}"), 1).await;
        until(&locker, "operations WHERE status = 'running'", 1).await;
        locker.kill();
        let environment = if attempt < 3 { [&SHORT[..], &hang].concat() } else { SHORT.to_vec() };
        locker.start(&environment).await;
    }
    until(&locker, ENDED, 1).await;
    assert_eq!(operation(&ada, &accepted).await["data"]["status"], "expired");
    assert_eq!(model::chats(&model), 0);
    let next = ada.post(path(1)).key("two").await.status(202);
    until(&locker, ENDED, 2).await;
    assert_eq!(operation(&ada, &next).await["data"]["status"], "succeeded");
}

#[shared_testing::test]
async fn a_service_killed_after_it_accepted_has_accepted_once() {
    let model = model::saying("ready");
    let hang = [("FAILPOINTS", "idempotency::committed=return"), ("ROLE", "api")];
    let mut locker = locker(&model, 1, &hang).await;
    let ada = locker.caller("ada");
    tokio::select! {
        biased;
        response = ada.post(path(1)).key("one").send() => panic!("the service was to hang after the commit: {response:?}"),
        () = until(&locker, "operations", 1) => {}
    }
    locker.kill();
    locker.start(&[&SHORT[..], &[("ROLE", "api")]].concat()).await;
    let retried = ada.post(path(1)).key("one").await.status(202);
    assert_eq!(retried["meta"]["replayed"], true);
    ada.post(path(1)).key("two").await.refused(409, "operation_in_progress");
    let worker = locker.beside(&[&SHORT[..], &[("ROLE", "worker")]].concat()).await;
    until(&locker, ENDED, 1).await;
    assert_eq!(operation(&ada, &retried).await["data"]["status"], "succeeded");
    assert_eq!((locker.count("operations"), model::chats(&model)), (1, 1));
    assert!(worker.anyone().get("/api/v1/catalogue").send().await.is_err(), "it has no API");
    let metrics = worker.metrics().await;
    for line in ["jobs_claimed_total", "jobs_ended_total", "jobs_waiting"] {
        assert!(metrics.contains(&format!("{line}{{surface=\"locker\",kind=\"model_test\"")), "{line}: {metrics}");
    }
}

#[shared_testing::test]
async fn two_workers_run_each_of_eight_tests_once() {
    let model = model::saying("ready");
    let locker = locker(&model, 8, &[("ROLE", "api")]).await;
    let only = [SHORT[0], ("ROLE", "worker")];
    let _workers = [locker.beside(&only).await, locker.beside(&only).await];
    let ada = locker.caller("ada");
    for number in 1..=8 {
        ada.post(path(number)).fresh_key().await.status(202);
    }
    until(&locker, "operations WHERE status = 'succeeded'", 8).await;
    assert_eq!((model::chats(&model), locker.count("jobs")), (8, 0));
}

#[shared_testing::test]
async fn a_worker_that_was_frozen_and_comes_back_late_changes_nothing() {
    let (model, chats) = model::waiting();
    let locker = locker(&model, 1, &[("ROLE", "api")]).await;
    let only = [SHORT[0], ("FAILPOINTS", "jobs::lease_ms=return(1500)"), ("ROLE", "worker")];
    let first = locker.beside(&only).await;
    let ada = locker.caller("ada");
    let accepted = ada.post(path(1)).key("one").await.status(202);
    let (late, chats) = next(chats).await;
    first.signal("STOP");
    let second = locker.beside(&only).await;
    let (present, _chats) = next(chats).await;
    present.send(Ok("the second")).expect("the model waits");
    until(&locker, ENDED, 1).await;
    late.send(Err(401)).expect("the model waits");
    first.signal("CONT");
    // Both go on working: what is asked for now is done by either.
    let ended = operation(&ada, &accepted).await;
    assert_eq!(ended["data"]["result"]["note"], "the second", "{ended}");
    until_lost(&first).await;
    assert_eq!(operation(&ada, &accepted).await.json()["data"], ended["data"]);
    assert_eq!((locker.count("operations"), locker.count("jobs")), (1, 0));
    drop(second);
}

/// Waits until the worker has noticed that its lease is gone.
async fn until_lost(worker: &ServiceProcess) {
    loop {
        let metrics = worker.metrics().await;
        if metrics
            .lines()
            .any(|line| line.starts_with("jobs_ended_total") && line.contains("end=\"lost\"") && !line.ends_with(" 0"))
        {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

type Chats = std::sync::mpsc::Receiver<std::sync::mpsc::Sender<Result<&'static str, u16>>>;

/// The next chat that the model hears.
async fn next(chats: Chats) -> (std::sync::mpsc::Sender<Result<&'static str, u16>>, Chats) {
    let waited = tokio::task::spawn_blocking(move || (chats.recv().expect("a chat"), chats));
    waited.await.expect("a thread")
}

#[shared_testing::test]
async fn a_worker_that_is_asked_to_stop_hands_its_test_back_at_once() {
    let (model, chats) = model::waiting();
    let mut locker = locker(&model, 1, &[]).await;
    let ada = locker.caller("ada");
    let accepted = ada.post(path(1)).key("one").await.status(202);
    let (_unanswered, chats) = next(chats).await;
    locker.signal("TERM");
    assert!(ExitStatus::success(&locker.ended().await));
    assert_eq!(locker.count("jobs WHERE holder IS NULL AND attempts = 0"), 1);
    // A lease of half a minute: only a job that was handed back can be done before that.
    locker.start(&SHORT[..1]).await;
    let (answer, _chats) = next(chats).await;
    answer.send(Ok("ready")).expect("the model waits");
    until(&locker, ENDED, 1).await;
    assert_eq!(operation(&ada, &accepted).await["data"]["result"]["outcome"], json!("ok"));
}

#[shared_testing::test]
async fn a_worker_whose_database_goes_away_waits_for_it_and_loses_nothing() {
    let (model, chats) = model::waiting();
    let locker = locker(&model, 1, &[]).await;
    let ada = locker.caller("ada");
    let accepted = ada.post(path(1)).key("one").await.status(202);
    let (answer, _chats) = next(chats).await;
    locker.lose_database();
    answer.send(Ok("ready")).expect("the model waits");
    // Longer than the lease, and the service says so all along; that of a locked file it says after five seconds.
    let away = Stopwatch::start();
    while away.elapsed() < Duration::from_secs(1) {
        ada.post(path(1)).key("two").await.refused(503, "temporarily_unavailable");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    locker.find_database();
    until(&locker, ENDED, 1).await;
    assert_eq!(operation(&ada, &accepted).await["data"]["result"]["outcome"], json!("ok"));
    until(&locker, "jobs", 0).await;
    assert_eq!(model::chats(&model), 1, "what was found out was not lost");
    ada.post(path(1)).key("two").await.status(202);
}

#[shared_testing::test]
async fn a_stop_does_not_wait_for_a_database_that_is_away() {
    let (model, chats) = model::waiting();
    let mut locker = locker(&model, 1, &[]).await;
    let ada = locker.caller("ada");
    ada.post(path(1)).key("one").await.status(202);
    let (answer, chats) = next(chats).await;
    locker.lose_database();
    answer.send(Ok("ready")).expect("the model waits");
    ada.post(path(1)).key("two").await.refused(503, "temporarily_unavailable");
    locker.signal("TERM");
    assert!(locker.ended().await.success());
    locker.find_database();
    locker.start(&SHORT).await;
    let (answer, _chats) = next(chats).await;
    answer.send(Ok("ready")).expect("the model waits");
    until(&locker, "operations WHERE status = 'succeeded'", 1).await;
}
