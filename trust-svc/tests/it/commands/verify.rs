//! `trust-svc verify`: checks a stored answer years later, without a service or a network.

use std::{
    fs,
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
};

use ed25519_dalek::SigningKey;
use serde_json::{Value, json};
use shared_model::Timestamp;
use shared_runtime::PublicKey;
use trust_log::{
    canonical, merkle,
    tlog::{Checkpoint, Cosigner, NoteSigner, Receipt},
};
use trust_svc::events::Publication;

use crate::test_signer::listed;

const BASE_URL: &str = "https://trust.example";

/// The files that the person kept, in a folder.
struct Kept {
    folder: PathBuf,
    log: NoteSigner,
    witness: Cosigner,
    signer_key: String,
}

impl Kept {
    /// The body and the answer of a publish; it is the second of three entries.
    fn of(test: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("verify").join(test);
        fs::create_dir_all(&folder).expect("a folder");
        let key = SigningKey::from_bytes(&[9; 32]);
        let signer_key = PublicKey::try_from(key.verifying_key()).expect("strong").to_string();
        let event = listed(1, Timestamp::from_seconds(1_800_000_000));
        let body = Publication::sign(event.as_object().expect("an event"), &key, "desk-1", BASE_URL);
        let log = NoteSigner::new("trust.example/log".parse().expect("a name"), SigningKey::from_bytes(&[1; 32]));
        let witness = Cosigner::new("witness.example".parse().expect("a name"), SigningKey::from_bytes(&[2; 32]));
        let kept = Self { folder, log, witness, signer_key };
        kept.write("body.json", &format!("{body:#}\n"));
        let receipt = kept.receipt(&canonical::value_text(&body));
        kept.write("receipt", &receipt);
        kept.write("answer.json", &json!({"data": {"log_index": 1, "receipt": receipt}, "meta": {}}).to_string());
        let mut event = body;
        event["receipt"] = json!(receipt);
        event["published_at"] = json!("2027-01-15T08:00:00.000000Z");
        kept.write("event.json", &format!("\n{:#}", json!({"data": event})));
        kept.write("log.key", &format!("{}\n", kept.log.verifier_key()));
        kept
    }

    fn receipt(&self, entry: &str) -> String {
        let leaves = ["{}", entry, "{\"a\":1}"].map(|entry| merkle::leaf_hash(entry.as_bytes()));
        let appended = merkle::append(&merkle::Frontier::default(), &leaves).expect("room");
        let path = appended.inclusion_paths().nth(1).expect("the second");
        let name = self.log.verifier_key().name();
        let signed = Checkpoint::new(name, appended.size(), appended.root()).sign(&self.log).expect("a note");
        let cosignature = self.witness.cosign(signed.note().text(), 1_800_000_060);
        Receipt::new(1, path, signed.with([cosignature]).expect("a note")).to_string()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("written");
    }

    fn change(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.folder.join(name)).expect("a file");
        assert!(text.contains(from), "{text}");
        self.write(name, &text.replacen(from, to, 1));
    }

    /// The lines of `trust-svc verify`, or the reason of its failure.
    fn verify(&self, words: &[&str]) -> Result<Vec<String>, String> {
        self.verify_given(words, "")
    }

    fn verify_given(&self, words: &[&str], input: &str) -> Result<Vec<String>, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trust-svc"));
        command.arg("verify").args(words).env_clear().current_dir(&self.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
        let done = child.wait_with_output().expect("it ends");
        let said = String::from_utf8(done.stdout).expect("text").lines().map(str::to_owned).collect();
        let error = String::from_utf8(done.stderr).expect("text");
        match done.status.code() {
            Some(0) if error.is_empty() => Ok(said),
            Some(1) => Err(error),
            other => panic!("{other:?}: {error}"),
        }
    }

    /// The reason; it ends with a newline.
    fn refused(&self, words: &[&str]) -> String {
        self.verify(words).expect_err("not verified")
    }
}

fn hash_of(kept: &Kept) -> String {
    let body: Value =
        serde_json::from_str(&fs::read_to_string(kept.folder.join("body.json")).expect("a file")).expect("JSON");
    body["event_hash"].as_str().expect("text").to_owned()
}

#[test]
fn an_answer_and_the_body_are_enough() {
    let kept = Kept::of("an_answer_and_the_body");
    let lines = kept.verify(&["answer.json", "body.json", "--log-key", "@log.key"]).expect("verified");
    assert_eq!(
        lines,
        [
            "verified: the log trust.example/log has signed a checkpoint of 3 entries".to_owned(),
            "verified: the entry is the one at index 1".to_owned(),
            format!("verified: the event has the hash {}", hash_of(&kept)),
            "not checked: the signature by desk-1 (--signer-key and --base-url)".to_owned(),
        ]
    );
    // The receipt unchanged, and the event written again after parsing.
    assert_eq!(kept.verify(&["receipt", "body.json", "--log-key", "@log.key"]), Ok(lines.clone()));
    let key = kept.log.verifier_key().to_string();
    assert_eq!(kept.verify(&["event.json", "--log-key", &key]), Ok(lines.clone()));
    let receipt = fs::read_to_string(kept.folder.join("receipt")).expect("a file");
    for more in ["", "\n", "\n\n\n"] {
        let receipt = receipt.clone() + more;
        assert_eq!(kept.verify_given(&["-", "body.json", "--log-key", &key], &receipt), Ok(lines.clone()), "{more:?}");
    }
    let body = fs::read_to_string(kept.folder.join("body.json")).expect("a file");
    assert_eq!(kept.verify_given(&["receipt", "-", "--log-key", &key], &body), Ok(lines));
}

#[test]
fn the_signer_and_witnesses_are_checked_with_their_keys() {
    let kept = Kept::of("the_signer_and_witnesses");
    let witness = kept.witness.verifier_key().to_string();
    let common = ["event.json", "--log-key", "@log.key", "--signer-key", &kept.signer_key, "--base-url"];
    let with = |more: &[&str]| kept.verify(&[&common, more].concat());
    let lines = with(&["https://trust.example/", "--witness-key", &witness]).expect("verified");
    assert_eq!(lines[1], "verified: the witness witness.example has cosigned it, at 2027-01-15T08:01:00.000000Z");
    assert_eq!(lines[4], "verified: desk-1 has signed the event, for https://trust.example");
    assert_eq!(lines.len(), 5);

    let reason = with(&["http://trust.example"]).expect_err("another service");
    assert!(reason.contains("as desk-1, for http://trust.example"), "{reason}");
    let another = Cosigner::new("w.example".parse().expect("a name"), SigningKey::from_bytes(&[3; 32]));
    let another = another.verifier_key().to_string();
    let reason = with(&[BASE_URL, "--witness-key", &witness, "--witness-key", &another]).expect_err("one is missing");
    assert!(reason.contains("cosigned by 2 of the given witnesses, and is by 1"), "{reason}");
    let reason = with(&[BASE_URL, "--witness-key", &witness, "--witness-key", &witness]).expect_err("one key");
    assert!(reason.contains("the witness key of witness.example is given twice"), "{reason}");
    let one = [BASE_URL, "--witness-key", &witness, "--witness-key", &another, "--witnesses", "1"];
    assert_eq!(with(&one), Ok(lines));
    let other_key = PublicKey::try_from(SigningKey::from_bytes(&[8; 32]).verifying_key()).expect("strong").to_string();
    let words = ["event.json", "--log-key", "@log.key", "--signer-key", &other_key, "--base-url", BASE_URL];
    assert!(kept.refused(&words).contains("must be by the given key"));
}

#[test]
fn each_alteration_is_reported() {
    let kept = Kept::of("whatever_is_altered");
    let words = ["answer.json", "body.json", "--log-key", "@log.key"];
    kept.change("body.json", "Rain tomorrow", "Rain today");
    assert!(kept.refused(&words).contains("the entry is not the one at the receipt's index"));
    kept.change("body.json", "Rain today", "Rain tomorrow");
    kept.change("answer.json", "\\nindex 1\\n", "\\nindex 2\\n");
    assert!(kept.refused(&words).contains("the proof is too long: its 2 hashes lead above the root"));
    kept.change("answer.json", "\\nindex 2\\n", "\\nindex 1\\n");
    kept.change("answer.json", "log\\n3\\n", "log\\n4\\n");
    assert!(kept.refused(&words).contains("is not that of its key"));
    kept.change("answer.json", "tlog-proof@v1", "tlog-proof@v9");
    assert!(kept.refused(&words).contains("answer.json: the first line of a receipt must be c2sp.org/tlog-proof@v1"));
    kept.change("answer.json", "receipt", "recipe");
    assert!(kept.refused(&words).contains("answer.json: must have data.receipt"));
    kept.write("answer.json", "{");
    assert!(kept.refused(&words).contains("answer.json: must be an answer of the service: EOF"));
    let log = NoteSigner::new("other.example".parse().expect("a name"), SigningKey::from_bytes(&[4; 32]));
    let reason = kept.refused(&["receipt", "body.json", "--log-key", &log.verifier_key().to_string()]);
    assert!(
        reason.contains("none of the given keys has signed it; it has signatures by trust.example/log"),
        "{reason}"
    );
}

#[test]
fn an_event_with_a_wrong_hash_is_reported() {
    let kept = Kept::of("an_event_hash");
    let body = fs::read_to_string(kept.folder.join("body.json")).expect("a file");
    let altered = body.replace("Rain tomorrow", "Rain today");
    // The log accepted it anyway.
    let entry = canonical::value_text(&serde_json::from_str::<Value>(&altered).expect("JSON"));
    kept.write("receipt", &kept.receipt(&entry));
    kept.write("body.json", &altered);
    let reason = kept.refused(&["receipt", "body.json", "--log-key", "@log.key"]);
    assert!(reason.contains("the event_hash must be the hash of the event"), "{reason}");
}

#[test]
fn an_entry_of_another_kind_is_proven_and_not_read() {
    let kept = Kept::of("an_entry_of_another_kind");
    kept.write("receipt", &kept.receipt(r#"{"signer":"desk-2"}"#));
    kept.write("body.json", r#" { "signer" : "desk-2" } "#);
    let lines = kept.verify(&["receipt", "body.json", "--log-key", "@log.key"]).expect("verified");
    assert_eq!(
        lines[1..],
        [
            "verified: the entry is the one at index 1",
            "not checked: the content of the entry, because it is not a signed event"
        ]
    );
}

#[test]
fn a_missing_input_is_asked_for() {
    let kept = Kept::of("what_is_missing");
    let refused = |words: &[&str]| kept.refused(words);
    assert!(refused(&["answer.json", "--log-key", "@log.key"]).contains("add the file with the published body"));
    assert!(refused(&["none.json", "--log-key", "@log.key"]).contains("none.json: No such file"));
    assert!(refused(&["-", "-", "--log-key", "@log.key"]).contains("two files"));
    assert!(refused(&["receipt", "receipt", "--log-key", "@log.key"]).contains("two files"));
    assert!(refused(&["receipt", "log.key", "--log-key", "@log.key"]).contains("log.key: must be valid JSON"));
    assert!(refused(&["body.json", "--log-key", "@log.key"]).contains("body.json: must have data.receipt"));
    assert!(refused(&["log.key", "--log-key", "@log.key"]).contains("log.key: a receipt must have an empty line"));
    let witness = kept.witness.verifier_key().to_string();
    assert!(refused(&["receipt", "--log-key", &witness]).contains("type 1 (Ed25519)"));
    assert!(refused(&["receipt", "--log-key", "@log.key", "--witnesses", "1"]).contains("at most 0 witnesses"));
    kept.write("large.json", &" ".repeat(1024 * 1024 + 1));
    assert!(refused(&["large.json", "--log-key", "@log.key"]).contains("large.json: must have at most 1048576 bytes"));
}
