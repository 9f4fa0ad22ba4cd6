//! `trust-svc self-check`, on the log's own database.

use std::{fs, process::Output};

use ed25519_dalek::SigningKey;
use shared_runtime::PublicKey;
use shared_testing::ServiceProcess;
use trust_log::{
    merkle::leaf_hash,
    tlog::{Checkpoint, NoteSigner},
};

use crate::log_reader::{LOG, LogReader};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Registers a signer, which is an entry.
fn register(service: &ServiceProcess, key_id: &str, seed: u8) {
    let key = PublicKey::try_from(SigningKey::from_bytes(&[seed; 32]).verifying_key()).expect("strong").to_string();
    let words = ["signer", "add", "--key-id", key_id, "--public-key", &key];
    assert!(service.command(&words).output().expect("the command runs").status.success());
}

#[shared_testing::test]
async fn a_log_begins_with_the_entries_of_an_older_checkpoint() {
    let service = ServiceProcess::of(env!("CARGO_BIN_EXE_trust-svc"), trust_svc::service(), &[]).await;
    let file = service.folder().join("older");
    let since = |checkpoint: &str| -> Output {
        fs::write(&file, checkpoint).expect("the file is written");
        let words = ["self-check", "--since", file.to_str().expect("a path")];
        service.command(&words).output().expect("the command runs")
    };
    for number in 1..4 {
        register(&service, &format!("desk-{number}"), number);
    }
    let older = service.anyone().get(format!("{LOG}/checkpoint")).await.status(200).body();
    register(&service, "desk-4", 4);
    let said = since(&older);
    assert!(
        text(&said.stdout).ends_with("intact: the log begins with the 3 entries of the older checkpoint\n"),
        "{said:?}"
    );

    let reader = LogReader::by(service.anyone()).await;
    let signer = NoteSigner::new(reader.key.name().clone(), SigningKey::from_bytes(&[9; 32]));
    for (size, expected) in [(2, "must have the root"), (9, "the log was rolled back")] {
        let other = Checkpoint::new(reader.key.name(), size, leaf_hash(b"another")).sign(&signer).expect("a note");
        let said = since(&other.to_string());
        assert_eq!(said.status.code(), Some(1));
        assert!(text(&said.stderr).contains(expected), "{said:?}");
    }
    assert_eq!(since("no checkpoint").status.code(), Some(1));
}
