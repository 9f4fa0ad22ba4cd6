//! A service that is killed between commit and answer.

use ed25519_dalek::SigningKey;
use serde_json::{Value, json};
use shared_runtime::{Clock, PublicKey};
use shared_testing::ServiceProcess;
use trust_svc::events::Publication;

use crate::{
    log_reader::LogReader,
    test_signer::{PUBLISH, listed},
};

async fn process(environment: &[(&'static str, &str)]) -> ServiceProcess {
    ServiceProcess::of(env!("CARGO_BIN_EXE_trust-svc"), trust_svc::service(), environment).await
}

/// A body signed by a signer that the command has registered.
fn body(process: &ServiceProcess) -> Value {
    let key = SigningKey::from_bytes(&[9; 32]);
    let public = PublicKey::try_from(key.verifying_key()).expect("strong").to_string();
    let words = ["signer", "add", "--key-id", "desk", "--public-key", &public];
    assert!(process.command(&words).output().expect("the command runs").status.success());
    let event = listed(1, Clock::System.now());
    Publication::sign(event.as_object().expect("an event"), &key, "desk", &format!("http://{}", process.address()))
}

#[shared_testing::test]
async fn a_retry_after_a_kill_between_commit_and_answer_has_the_receipt() {
    let mut service = process(&[("FAILPOINTS", "publish::before_answer=return")]).await;
    let body = body(&service);
    let anyone = service.anyone();
    tokio::select! {
        biased;
        response = anyone.post(PUBLISH).json(body.clone()).send() => panic!("it was to hang: {response:?}"),
        () = async {
            while service.count("events") == 0 {
                tokio::task::yield_now().await;
            }
        } => service.kill(),
    }
    service.start(&[]).await;
    let anyone = service.anyone();
    let retried = anyone.post(PUBLISH).json(body.clone()).await.refused(409, "event_replayed");
    let reader = LogReader::by(anyone).await;
    assert_eq!(reader.proven(&retried["error"]["next_action"]["receipt"], &body), (1, 2));

    let done = service.command(&["self-check"]).output().expect("the command runs");
    let said = String::from_utf8(done.stdout).expect("text");
    assert!(said.contains("intact: 2 entries") && said.contains("intact: 1 events"), "{said}");
    assert_eq!(json!(service.count("log_entries")), json!(2));
}
