//! A witness and an auditor, each run by the built program, watch a log from outside.

use ed25519_dalek::SigningKey;
use shared_runtime::{Clock, PublicKey};
use shared_testing::{Response, ServiceProcess, Text as _};
use trust_log::tlog::{Cosigner, Policy, SignedCheckpoint, VerifierKey, verify_checkpoint};
use trust_svc::{
    events::Publication,
    witness::{self, Witness},
};

use crate::{
    log_reader::{LOG, LogReader},
    test_signer::{PUBLISH, listed},
};

const BINARY: &str = env!("CARGO_BIN_EXE_trust-svc");

/// Publishes events of markets with these numbers. Returns the answers.
async fn publish(service: &ServiceProcess, numbers: std::ops::Range<u32>) -> Vec<Response> {
    let key = SigningKey::from_bytes(&[9; 32]);
    let mut answers = Vec::new();
    for number in numbers {
        let event = listed(number, Clock::System.now());
        let base_url = format!("http://{}", service.address());
        let body = Publication::sign(event.as_object().expect("an event"), &key, "desk", &base_url);
        answers.push(service.anyone().post(PUBLISH).json(body).await.status(200));
    }
    answers
}

/// The published event as the service shows it.
async fn read(service: &ServiceProcess, published: &Response) -> Response {
    let path = format!("/wp-json/service-trust/v1/events/{}", published["data"]["event_hash"].text());
    service.anyone().get(path).await.status(200)
}

fn register(service: &ServiceProcess) {
    let public = SigningKey::from_bytes(&[9; 32]).verifying_key();
    let public = PublicKey::try_from(public).expect("strong").to_string();
    let words = ["signer", "add", "--key-id", "desk", "--public-key", &public];
    assert!(service.command(&words).output().expect("the command runs").status.success());
}

/// The checkpoint that the log serves when it has this size.
async fn cosigned(service: &ServiceProcess, size: u64) -> SignedCheckpoint {
    loop {
        let answer = service.anyone().get(format!("{LOG}/checkpoint")).await;
        if answer.status == 200 {
            let signed = SignedCheckpoint::parse(answer.body().as_bytes()).expect("a checkpoint");
            if signed.checkpoint().size() == size {
                return signed;
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

fn audit(service: &ServiceProcess, words: &[&str]) -> (String, String) {
    let url = format!("http://{}", service.address());
    let words = [&["audit", &url], words].concat();
    let done = service.command(&words).output().expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{}", text(&done.stderr));
    (text(&done.stdout), text(&done.stderr))
}

#[shared_testing::test]
async fn a_witness_and_an_auditor_watch_a_log() {
    let mut log = ServiceProcess::of(BINARY, trust_svc::service(), &[]).await;
    register(&log);
    let published = publish(&log, 0..3).await;
    let alone = read(&log, &published[0]).await;
    assert!(alone["data"].get("cosigned_receipt").is_none(), "{alone}");
    let reader = LogReader::by(log.anyone()).await;
    let log_key = reader.key.to_string();
    let (first, said) = audit(&log, &["--log-key", &log_key]);
    assert!(said.contains("the 4 entries") && said.contains("the signatures of 3 events"), "{said}");

    let folder = tempfile::tempdir().expect("a folder");
    let key_file = folder.path().join("key.pem").display().to_string();
    let environment = [("WITNESS_NAME", "witness.example/w1"), ("WITNESS_KEY", &key_file), ("WITNESS_LOGS", &log_key)];
    // Its parts do not matter here: the process reads its own settings.
    let name = "witness.example/w1".parse().expect("a name");
    let cosigner = Cosigner::new(name, SigningKey::from_bytes(&[1; 32]));
    let service = witness::service(Witness::new(cosigner, vec![reader.key.clone()]).expect("a witness"));
    let new = [&environment[..], &[("WITNESS_NEW", "true")]].concat();
    let witness = ServiceProcess::by_command(BINARY, &["witness"], service, &new).await;
    let mut print = witness.command(&["witness", "key"]);
    let witness_key = print.envs(environment).output().expect("the command runs").stdout;
    let witness_key = String::from_utf8(witness_key).expect("text").trim_end().to_owned();

    log.kill();
    let witnesses = format!("{witness_key} http://{}/", witness.address());
    log.start(&[("LOG_WITNESSES", &witnesses), ("OUTBOUND_ALLOW", "127.0.0.0/8")]).await;
    publish(&log, 3..5).await;
    let signed = cosigned(&log, 6).await;
    let keys: Vec<VerifierKey> = vec![witness_key.parse().expect("a verifier key")];
    verify_checkpoint(&signed, &Policy::new(reader.key.clone(), keys, 1).expect("keys")).expect("cosigned");

    let event = read(&log, &published[0]).await;
    assert_eq!(event["data"]["receipt"], published[0]["data"]["receipt"], "the original one");
    let answer = folder.path().join("answer.json").display().to_string();
    std::fs::write(&answer, event.body()).expect("written");
    let mut verify = log.command(&["verify", &answer, "--log-key", &log_key, "--witness-key", &witness_key]);
    let verified = verify.output().expect("the command runs");
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    assert!(said.contains("a checkpoint of 6 entries"), "{said}");
    assert!(said.contains("the witness witness.example/w1 has cosigned it") && said.contains("index 1\n"), "{said}");

    let older = folder.path().join("older");
    std::fs::write(&older, first).expect("written");
    let words = ["--log-key", &log_key, "--witness-key", &witness_key, "--since", older.to_str().expect("UTF-8")];
    let (_, said) = audit(&log, &words);
    assert!(said.contains("begins with the 4 entries") && said.contains("the signatures of 5 events"), "{said}");
}
