//! `trust-svc witness`.

use std::{os::unix::fs::PermissionsExt as _, path::Path, process::Command};

use trust_log::tlog::{VerifierKey, key::KeyType};

use crate::test_log::TestLog;

fn trust_svc(folder: &Path, words: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trust-svc"));
    let done = command.args(words).env_clear().current_dir(folder).output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    if done.status.success() { Ok(text(done.stdout)) } else { Err(text(done.stderr)) }
}

#[test]
fn the_key_is_made_once_and_readable_by_its_owner_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let print = || trust_svc(folder.path(), &["witness", "key", "--name", "witness.example/w1"]).expect("a key");
    let (first, second) = (print(), print());
    assert_eq!(first, second);
    let key: VerifierKey = first.trim_end().parse().expect("a verifier key");
    assert_eq!((key.name().as_str(), key.key_type()), ("witness.example/w1", KeyType::CosignatureV1));
    let mode = folder.path().join("witness-key.pem").metadata().expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(trust_svc(folder.path(), &["witness", "key"]).expect_err("no name").contains("WITNESS_NAME"));
}

#[test]
fn a_witness_with_wrong_settings_does_not_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = TestLog::new("log.example/a").key().to_string();
    let name = ["witness", "--name", "witness.example/w1"];
    let own = trust_svc(folder.path(), &[name.as_slice(), &["key"]].concat()).expect("a key");
    for (words, rule) in [
        (vec![], "at least one log"),
        (vec!["--log", &log, "--log", &log], "twice"),
        (vec!["--log", own.trim_end()], "type 1"),
    ] {
        let error = trust_svc(folder.path(), &[name.as_slice(), &words].concat()).expect_err("refused");
        assert!(error.contains(rule), "{error}");
    }
    assert!(trust_svc(folder.path(), &["witness", "--name", "a b", "--log", &log]).is_err());
    assert!(!folder.path().join("witness.db").exists(), "nothing was made for it");
}
