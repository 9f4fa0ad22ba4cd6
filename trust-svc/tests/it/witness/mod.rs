//! A witness of other logs.

mod add_checkpoint;
mod command;
mod forks;

use ed25519_dalek::SigningKey;
use shared_testing::{Caller, Request, Response, Stage};
use trust_log::tlog::{Cosigner, SignedCheckpoint, VerifierKey, witness::parse_cosignatures};
use trust_svc::witness::{self, Witness};

use crate::test_log::TestLog;

/// The key of the witness under test.
pub fn cosigner() -> Cosigner {
    Cosigner::new("witness.example/w1".parse().expect("a name"), SigningKey::from_bytes(&[42; 32]))
}

/// A witness of this log.
pub async fn watching(log: &TestLog) -> Stage {
    watching_with(&[log.key()]).await
}

async fn watching_with(keys: &[&VerifierKey]) -> Stage {
    let keys = keys.iter().map(|key| (*key).clone()).collect();
    Stage::of(witness::service(Witness::new(cosigner(), keys).expect("a witness"))).await
}

fn send(caller: &Caller, body: impl ToString) -> Request {
    caller.post("/add-checkpoint").body("text/plain", body.to_string())
}

/// Checks that the answer is the witness's cosignature on this checkpoint; returns its time.
fn cosigned(response: Response, checkpoint: &SignedCheckpoint) -> u64 {
    let response = response.status(200);
    assert_eq!(response.header("content-type"), "text/plain; charset=utf-8");
    let lines = parse_cosignatures(response.bytes()).expect("lines of signatures");
    let note = checkpoint.clone().with(lines).expect("a note");
    let key = cosigner().verifier_key().clone();
    let verified = note.note().open(std::slice::from_ref(&key)).expect("the witness's cosignature");
    assert_eq!(verified.len(), 1);
    verified[0].seconds.expect("a witness's has a time")
}

/// Checks for a refusal with this status and one line of text.
fn refused(response: Response, status: u16, words: &str) {
    let response = response.status(status);
    assert_eq!(response.header("content-type"), "text/plain; charset=utf-8");
    let text = response.body();
    assert!(text.ends_with('\n') && text.lines().count() == 1 && text.contains(words), "{text}");
}

/// Checks for a 409 with this size.
fn has_size(response: Response, size: u64) {
    let response = response.status(409);
    assert_eq!(response.header("content-type"), "text/x.tlog.size");
    assert_eq!(response.body(), format!("{size}\n"));
}
