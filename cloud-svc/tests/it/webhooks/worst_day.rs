//! Webhooks when the service is killed between the commit of a change and its delivery.

use std::sync::atomic::AtomicBool;

use shared_testing::ServiceProcess;

use super::*;

pub(super) const PROGRAM: &str = env!("CARGO_BIN_EXE_cloud-svc");
pub(super) const LOOPBACK: (&str, &str) = ("OUTBOUND_ALLOW", "127.0.0.1");
// Tests poll, on a slow machine many times.
pub(super) const READS: (&str, &str) = ("RATE_LIMITS", "read=1000000");

#[shared_testing::test]
async fn the_next_process_delivers_a_change_after_a_kill() {
    let mut cloud = ServiceProcess::of(PROGRAM, service(), &[LOOPBACK, READS]).await;
    let receiver = Receiver::start();
    active(&cloud.caller("ada"), &receiver.url(), json!(["*"])).await;
    cloud.kill();
    cloud.start(&[LOOPBACK, READS, ("FAILPOINTS", "webhooks::work=return")]).await;
    for number in 0..3 {
        samples::create(&cloud.caller("ada"), &format!("Plan {number}")).await;
    }
    cloud.kill();
    assert!(receiver.events().is_empty());
    cloud.start(&[LOOPBACK, READS]).await;
    until(async || receiver.events().len() == 3).await;
    let heard = receiver.events();
    let mut sequences: Vec<_> = heard.iter().map(|(_, body)| body["data"]["sequence"].as_i64()).collect();
    sequences.sort_unstable();
    assert_eq!(sequences, [Some(1), Some(2), Some(3)]);
}

#[shared_testing::test]
async fn a_delivery_in_progress_at_a_stop_is_sent_by_the_next_process() {
    let mut cloud = ServiceProcess::of(PROGRAM, service(), &[LOOPBACK, READS]).await;
    let hangs = Arc::new(AtomicBool::new(true));
    let is_hanging = Arc::clone(&hangs);
    let server = HostileServer::http(move |stream, request| {
        if !request.contains("challenge") && is_hanging.load(Ordering::SeqCst) {
            while stream.read(&mut [0; 100])? > 0 {}
            return Ok(());
        }
        respond(stream, request, 200)
    });
    let id = id(&active(&cloud.caller("ada"), &format!("http://{}/", server.address), json!(["*"])).await);
    command(&cloud.caller("ada"), &id, "ping", json!({})).await.status(200);
    until(async || server.requests().len() == 2).await;
    cloud.signal("TERM");
    cloud.ended().await;
    hangs.store(false, Ordering::SeqCst);
    cloud.start(&[LOOPBACK, READS]).await;
    until(async || server.requests().len() == 3).await;
    let ada = cloud.caller("ada");
    until(async || deliveries(&ada, &id).await[0]["status"] == "delivered").await;
    assert_eq!(deliveries(&ada, &id).await[0]["attempts"], 1, "the one that was broken off does not count");
}

#[shared_testing::test]
async fn a_worker_process_delivers_changes_of_another_process() {
    let cloud = ServiceProcess::of(PROGRAM, service(), &[LOOPBACK, READS, ("ROLE", "api")]).await;
    let receiver = Receiver::start();
    let id = id(&create(&cloud.caller("ada"), &receiver.url(), json!(["*"])).await.status(200));
    let _worker = cloud.beside(&[LOOPBACK, ("ROLE", "worker")]).await;
    until(async || webhook(&cloud.caller("ada"), &id).await["state"] == "active").await;
    samples::create(&cloud.caller("ada"), "Plan").await;
    until(async || receiver.events().len() == 1).await;
}
