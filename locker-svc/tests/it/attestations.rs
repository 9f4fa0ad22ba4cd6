//! Attestors, what they sign for, and what counts of it.

use std::{process::Output, time::Duration};

use diesel::RunQueryDsl as _;
use ed25519_dalek::{SigningKey, pkcs8::EncodePrivateKey as _, pkcs8::EncodePublicKey as _};
use locker_svc::{
    attestations::{self, PAYLOAD_TYPE, RecordOutcome},
    dsse::{self, DsseEnvelope},
    image_digest::ImageDigest,
    service,
};
use serde_json::{Value, json};
use shared_runtime::on_each;
use shared_testing::Stage;

use crate::command_line::{bare, locker, output_text};

fn image(digit: char) -> ImageDigest {
    format!("sha256:{}", digit.to_string().repeat(64)).parse().expect("a digest")
}

fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

async fn add(stage: &Stage, key_id: &str, key: &SigningKey) -> bool {
    let (key_id, now) = (key_id.parse().expect("a key id"), stage.now());
    let public = key.verifying_key().try_into().expect("a strong key");
    let added = stage.context.write(move |conn| Ok(attestations::add(conn, &key_id, public, now)?)).await;
    added.expect("the database answers")
}

async fn revoke(stage: &Stage, key_id: &str) -> bool {
    let (key_id, now) = (key_id.parse().expect("a key id"), stage.now());
    stage.context.write(move |conn| Ok(attestations::revoke(conn, &key_id, now)?)).await.expect("the database answers")
}

async fn record(stage: &Stage, envelope: DsseEnvelope) -> RecordOutcome {
    let now = stage.now();
    let recorded = stage.context.write(move |conn| Ok(attestations::record(conn, &envelope, now)?)).await;
    recorded.expect("the database answers")
}

async fn is_attested(stage: &Stage, image: ImageDigest) -> bool {
    let attested = stage.context.read(move |conn| Ok(attestations::is_attested(conn, &image)?)).await;
    attested.expect("the database answers")
}

#[shared_testing::test]
async fn an_image_is_trusted_while_an_active_attestor_has_signed_for_it() {
    let stage = Stage::of(service()).await;
    assert!(add(&stage, "build", &key(1)).await);
    assert!(add(&stage, "audit", &key(2)).await);
    assert!(!is_attested(&stage, image('a')).await);
    for seed in [1, 2, 1] {
        let recorded = record(&stage, attestations::sign(&image('a'), "test", &key(seed), stage.now())).await;
        assert!(matches!(recorded, RecordOutcome::Stored(..)), "{recorded:?}");
    }
    assert_eq!(stage.count("attestations"), 2);
    assert!(is_attested(&stage, image('a')).await);
    assert!(!is_attested(&stage, image('b')).await);

    assert!(revoke(&stage, "build").await);
    assert!(is_attested(&stage, image('a')).await, "the other one's word still counts");
    stage.clock.advance(Duration::from_secs(1200));
    assert!(revoke(&stage, "audit").await);
    stage.clock.set_back(Duration::from_secs(1200));
    assert!(!is_attested(&stage, image('a')).await, "the clock of the operator who revoked it was ahead");
    assert!(revoke(&stage, "audit").await && !revoke(&stage, "nobody").await);
}

#[shared_testing::test]
async fn envelopes_of_strangers_and_revoked_attestors_are_not_recorded() {
    let stage = Stage::of(service()).await;
    add(&stage, "build", &key(1)).await;
    let by_stranger = attestations::sign(&image('a'), "test", &key(9), stage.now());
    assert_eq!(record(&stage, by_stranger.with_key_id("build")).await, RecordOutcome::NoSigner);
    let other_type = dsse::sign("application/json", b"{}", &key(1));
    assert_eq!(record(&stage, other_type).await, RecordOutcome::NoSigner);
    let says_nothing = dsse::sign(PAYLOAD_TYPE, b"{}", &key(1));
    assert!(
        matches!(record(&stage, says_nothing).await, RecordOutcome::InvalidStatement(problems) if problems.len() == 3)
    );
    revoke(&stage, "build").await;
    let late = attestations::sign(&image('a'), "test", &key(1), stage.now());
    assert_eq!(record(&stage, late).await, RecordOutcome::NoSigner);
    assert_eq!(stage.count("attestations"), 0);
    assert!(!add(&stage, "build", &key(1)).await, "a revoked key does not come back");
    assert!(!add(&stage, "build", &key(2)).await, "nor another under its id");
    assert!(!add(&stage, "audit", &key(1)).await, "nor under another id");
    assert!(add(&stage, "audit", &key(2)).await && add(&stage, "audit", &key(2)).await, "a command may be repeated");
    assert!(!add(&stage, "spare", &key(2)).await, "a key has one id");
}

/// An older database may have one key under several ids.
#[shared_testing::test]
async fn a_revoked_key_attests_under_no_other_id() {
    let stage = Stage::of(service()).await;
    add(&stage, "build", &key(1)).await;
    add(&stage, "audit", &key(2)).await;
    let share = "UPDATE attestors SET public_key = (SELECT public_key FROM attestors WHERE key_id = 'build')";
    let shared = stage.context.write(move |conn| Ok(on_each!(conn, |c| diesel::sql_query(share).execute(c))?)).await;
    assert_eq!(shared.expect("the database answers"), 2);
    let envelope = attestations::sign(&image('a'), "test", &key(1), stage.now());
    assert!(matches!(record(&stage, envelope).await, RecordOutcome::Stored(_, by) if by.len() == 2));
    assert!(revoke(&stage, "build").await);
    assert!(!is_attested(&stage, image('a')).await);
}

#[shared_testing::test]
async fn a_row_that_was_changed_in_the_database_attests_nothing() {
    let stage = Stage::of(service()).await;
    add(&stage, "build", &key(1)).await;
    record(&stage, attestations::sign(&image('a'), "test", &key(1), stage.now())).await;
    for sql in [
        // Another image's row, with this one's envelope.
        format!("UPDATE attestations SET image_digest = '{}'", image('b')),
        // An envelope that its attestor has not signed.
        format!(
            "UPDATE attestations SET envelope = '{}'",
            attestations::sign(&image('b'), "test", &key(9), stage.now()).to_json()
        ),
        "UPDATE attestations SET envelope = 'nonsense'".to_owned(),
    ] {
        let change = sql.clone();
        let changed = stage.context.write(move |conn| Ok(on_each!(conn, |c| diesel::sql_query(&change).execute(c))?));
        assert_eq!(changed.await.expect("changed"), 1);
        assert!(!is_attested(&stage, image('a')).await && !is_attested(&stage, image('b')).await, "{sql}");
    }
    record(&stage, attestations::sign(&image('b'), "test", &key(1), stage.now())).await;
    assert!(is_attested(&stage, image('b')).await, "recorded again");
}

/// Signs where there is neither a setting nor a database.
fn sign(stage: &Stage, arguments: &[&str]) -> Output {
    let mut command = bare(&["attestation", "sign"]);
    command.args(arguments).current_dir(stage.folder()).output().expect("it runs")
}

#[shared_testing::test]
async fn an_operator_registers_signs_records_and_revokes() {
    let stage = Stage::of(service()).await;
    let folder = stage.folder();
    let secret = key(1).to_pkcs8_pem(Default::default()).expect("PEM");
    let public = key(1).verifying_key().to_public_key_pem(Default::default()).expect("PEM");
    std::fs::write(folder.join("key.pem"), secret.as_bytes()).expect("written");
    std::fs::write(folder.join("public.pem"), public).expect("written");

    let added = locker(&stage, &["attestor", "add", "--key-id", "build", "--public-key", "@public.pem"]);
    assert!(added.status.success(), "{}", output_text(&added));
    let signed = sign(&stage, &["--key", "key.pem", "--image", image('a').as_str()]);
    assert!(signed.status.success(), "{}", output_text(&signed));
    std::fs::write(folder.join("attestation.json"), &signed.stdout).expect("written");
    let recorded = locker(&stage, &["attestation", "record", "attestation.json"]);
    assert_eq!(output_text(&recorded), format!("{}: attested by build\n", image('a')));
    assert!(is_attested(&stage, image('a')).await);

    let listed = locker(&stage, &["attestor", "list"]);
    let line: Value = serde_json::from_slice(&listed.stdout).expect("one JSON object");
    assert_eq!((&line["key_id"], &line["revoked_at"]), (&json!("build"), &Value::Null));
    assert!(locker(&stage, &["attestor", "revoke", "build"]).status.success());
    assert!(!locker(&stage, &["attestor", "revoke", "nobody"]).status.success());
    let refused = locker(&stage, &["attestation", "record", "attestation.json"]);
    assert!(output_text(&refused).contains("no registered and unrevoked attestor"), "{}", output_text(&refused));
}

#[shared_testing::test]
async fn every_mistake_of_an_operator_is_reported() {
    let stage = Stage::of(service()).await;
    let weak = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    let refused = locker(&stage, &["attestor", "add", "--key-id", "weak", "--public-key", weak]);
    assert!(output_text(&refused).contains("weak key"), "{}", output_text(&refused));
    assert_eq!(stage.count("attestors"), 0);

    let file = stage.folder().join("attestation.json");
    for (text, expected) in [
        ("nonsense".to_owned(), vec!["must be valid JSON"]),
        (json!({"payload": "?", "signatures": []}).to_string(), vec!["payloadType", "/payload ", "/signatures"]),
        (dsse::sign("text/plain", b"hello", &key(1)).to_json(), vec!["/payloadType must be application/vnd.in-toto"]),
        ("x".repeat(dsse::MAX_BYTES + 1), vec!["at most"]),
    ] {
        std::fs::write(&file, text).expect("written");
        let refused = locker(&stage, &["attestation", "record", "attestation.json"]);
        assert_eq!(refused.status.code(), Some(1));
        for part in expected {
            assert!(output_text(&refused).contains(part), "{part} is not in {}", output_text(&refused));
        }
    }
    let no_key = sign(&stage, &["--key", "attestation.json", "--image", image('a').as_str()]);
    assert!(output_text(&no_key).contains("not an Ed25519 key"), "{}", output_text(&no_key));
    assert!(!sign(&stage, &["--key", "attestation.json", "--image", "latest"]).status.success());
}
