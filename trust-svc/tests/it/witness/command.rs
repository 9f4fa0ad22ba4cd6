//! `trust-svc witness`.

use std::{
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use shared_runtime::{PublicKey, base::signing_key::KeyFile};
use shared_testing::ServiceProcess;
use trust_log::tlog::{VerifierKey, key::KeyType};
use trust_svc::witness::{self, Witness, own_database};

use super::{cosigner, has_size, send, watching};
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

/// The error of `trust-svc witness` with the settings of this process and these variables, which must not serve.
async fn refused(process: &ServiceProcess, environment: &[Variable<'_>]) -> String {
    let mut command = process.command(&["witness"]);
    command.envs(environment.iter().copied()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    while child.try_wait().expect("our own child").is_none() {
        if process.anyone().get("/openapi.json").send().await.is_ok() {
            child.kill().expect("our own child");
            child.wait().expect("our own child");
            panic!("it serves");
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let done = child.wait_with_output().expect("it has ended");
    let said = String::from_utf8(done.stderr).expect("text");
    assert_eq!(done.status.code(), Some(1), "{said}");
    said
}

type Variable<'a> = (&'static str, &'a str);

fn with<'a>(environment: &[Variable<'a>], name: &'static str, value: &'a str) -> Vec<Variable<'a>> {
    [environment, &[(name, value)]].concat()
}

#[shared_testing::test]
async fn a_witness_that_lost_its_database_or_its_key_does_not_serve() {
    let log = TestLog::new("log.example/a").with(5, "entry");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (key, log_key) = (path("key.pem"), log.key().to_string());
    let environment = [("WITNESS_NAME", "witness.example/w3"), ("WITNESS_KEY", &key), ("WITNESS_LOGS", &log_key)];
    let service = witness::service(Witness::new(cosigner(), vec![log.key().clone()]).expect("a witness"));
    let new = with(&environment, "WITNESS_NEW", "true");
    let mut process = ServiceProcess::by_command(env!("CARGO_BIN_EXE_trust-svc"), &["witness"], service, &new).await;
    send(&process.anyone(), log.request(0, 5)).await.status(200);
    process.kill();

    let empty = format!("sqlite:{}", path("empty.db"));
    let said = refused(&process, &with(&environment, "DATABASE_URL", &empty)).await;
    assert!(said.contains("WITNESS_KEY: ") && said.contains("empty.db has no key of a witness"), "{said}");
    let other = path("other.pem");
    KeyFile::Generated(other.clone().into()).read_or_make().expect("a key");
    let said = refused(&process, &with(&environment, "WITNESS_KEY", &other)).await;
    assert!(said.contains("WITNESS_KEY: the key of the witness in "), "{said}");
    let lost = path("lost.pem");
    let said = refused(&process, &with(&environment, "WITNESS_KEY", &lost)).await;
    assert!(said.contains("lost.pem") && !Path::new(&lost).exists(), "{said}");
    let said = refused(&process, &new).await;
    assert!(said.contains("is not new: start it without --new"), "{said}");

    process.start(&environment).await;
    has_size(send(&process.anyone(), log.request(0, 5)).await, 5);
}

#[shared_testing::test]
async fn a_witness_of_an_earlier_release_which_stored_no_key_needs_no_new() {
    let log = TestLog::new("log.example/a").with(5, "entry");
    let stage = watching(&log).await;
    let public = |key: &VerifierKey| PublicKey::try_from(*key.public_key()).expect("a key");
    let own = public(cosigner().verifier_key());
    let require = async |own: PublicKey| own_database::require(&stage.context, own, false).await;
    let refused = require(own).await.expect_err("an empty database").to_string();
    assert!(refused.contains("has no key of a witness"), "{refused}");
    send(&stage.anyone(), log.request(0, 5)).await.status(200);
    require(own).await.expect("its own database");
    let other = public(log.key());
    let refused = require(other).await.expect_err("another key").to_string();
    assert!(refused.contains("WITNESS_KEY: the key of the witness in "), "{refused}");
}
