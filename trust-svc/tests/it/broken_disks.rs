//! Disks that are full, under a SQLite file: the log has what was acknowledged, and nothing else.

use std::fs;

use ed25519_dalek::SigningKey;
use serde_json::Value;
use shared_runtime::{Clock, PublicKey};
use shared_testing::{Caller, Request, ServiceProcess, disks, together};
use trust_svc::{events::Publication, service};

use crate::{
    log_reader::{LOG, LogReader},
    test_signer::{PUBLISH, hash, listed},
};

const SETTINGS: [(&str, &str); 1] = [("RATE_LIMITS", "publish=1000000,signer=1000000,read=1000000")];

async fn trust() -> ServiceProcess {
    ServiceProcess::bounded(env!("CARGO_BIN_EXE_trust-svc"), service(), None, &SETTINGS).await
}

/// First events of as many markets, and their bodies, signed by a signer that the command has registered.
fn publications(trust: &ServiceProcess, count: u32) -> Vec<(Value, Value)> {
    let key = SigningKey::from_bytes(&[9; 32]);
    let public = PublicKey::try_from(key.verifying_key()).expect("strong").to_string();
    prints(trust, &["signer", "add", "--key-id", "desk", "--public-key", &public]);
    let signed = |number| {
        let event = listed(number, Clock::System.now());
        let base_url = format!("http://{}", trust.address());
        let body = Publication::sign(event.as_object().expect("an event"), &key, "desk", &base_url);
        (event, body)
    };
    (1..=count).map(signed).collect()
}

/// What a command prints that must succeed.
fn prints(trust: &ServiceProcess, words: &[&str]) -> String {
    let done = trust.command(words).output().expect("the command runs");
    let printed = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{words:?}: {printed}");
    printed
}

fn publish(anyone: &Caller, body: &Value) -> Request {
    anyone.post(PUBLISH).json(body.clone())
}

#[shared_testing::test]
async fn a_full_disk_leaves_the_log_with_what_was_acknowledged() {
    let mut trust = trust().await;
    let all = publications(&trust, 40);
    let anyone = trust.anyone();
    let log = fs::metadata(trust.folder().join("stage.sqlite-wal")).expect("SQLite's own log").len();
    // Room for some of them: each transaction takes more than 16 KiB.
    trust.limit_files(Some(log + 150_000));
    let mut acknowledged = Vec::new();
    for four in all.chunks(4) {
        for response in together(four.iter().map(|(_, body)| publish(&anyone, body))).await {
            acknowledged.push(response.status == 200);
            if response.status != 200 {
                response.refused(503, "temporarily_unavailable");
            }
        }
    }
    let refused = acknowledged.iter().filter(|is| !**is).count();
    assert!((1..all.len()).contains(&refused), "{refused} of {} were refused", all.len());
    let counted = format!("http_failures_total{{surface=\"trust\",operation=\"publish_event\"}} {refused}");
    disks::has_lines(&trust.metrics().await, &[counted, "database_away{surface=\"trust\"} 1".to_owned()]);
    are_there(&anyone, &all, &acknowledged).await;

    trust.kill();
    trust.start(&SETTINGS).await;
    are_there(&anyone, &all, &acknowledged).await;
    let reader = LogReader::by(anyone.clone()).await;
    for ((_, body), is_there) in all.iter().zip(acknowledged) {
        let again = publish(&anyone, body).await;
        let receipt = if is_there {
            again.refused(409, "event_replayed")["error"]["next_action"]["receipt"].clone()
        } else {
            again.status(200)["data"]["receipt"].clone()
        };
        reader.proven(&receipt, body);
    }
    // The first entry is the signer.
    let checked = prints(&trust, &["self-check"]);
    assert!(checked.contains("intact: 41 entries") && checked.contains("intact: 40 events"), "{checked}");
    let audited = prints(&trust, &["audit", &format!("http://{}", trust.address())]);
    assert!(audited.contains("verified: the 41 entries"), "{audited}");
}

/// Fails unless exactly those events that were acknowledged can be read.
async fn are_there(anyone: &Caller, all: &[(Value, Value)], acknowledged: &[bool]) {
    for ((event, _), is_there) in all.iter().zip(acknowledged) {
        let read = anyone.get(format!("/wp-json/service-trust/v1/events/{}", hash(event))).await;
        assert_eq!(read.status, if *is_there { 200 } else { 404 }, "{read}");
    }
}

#[shared_testing::test]
async fn a_full_disk_refuses_an_event_that_is_published_once_when_there_is_room() {
    let trust = trust().await;
    let all = publications(&trust, 1);
    let (anyone, body) = (trust.anyone(), &all[0].1);
    let read = || anyone.get(format!("{LOG}/checkpoint"));
    let published =
        disks::refuses_commands_alone(&trust, &service(), "publish_event", || publish(&anyone, body), read).await;
    assert_eq!(published.status, 200, "{published}");
    let replayed = publish(&anyone, body).await.refused(409, "event_replayed");
    assert_eq!(replayed["error"]["next_action"]["receipt"], published["data"]["receipt"]);
    assert_eq!((trust.count("events"), trust.count("log_entries")), (1, 2));
}

#[shared_testing::test]
async fn a_start_on_a_full_disk_serves_the_log_or_says_why_not() {
    let mut trust = trust().await;
    let all = publications(&trust, 1);
    let (anyone, body) = (trust.anyone(), &all[0].1);
    let read = || anyone.get(format!("{LOG}/checkpoint"));
    disks::starts_or_says_why(&mut trust, &SETTINGS, read).await;
    publish(&anyone, body).await.status(200);
    assert!(prints(&trust, &["self-check"]).contains("intact: 2 entries"));
}
