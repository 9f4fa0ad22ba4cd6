//! Notes and checkpoints.

use proptest::prelude::*;

use super::{
    fixture::{NOW, cosigned, log, name, receipts, signed, witness},
    keys::PETER,
};
use crate::{
    merkle::EMPTY_ROOT,
    tlog::{
        checkpoint::{Checkpoint, SignedCheckpoint},
        key::VerifierKey,
        note::{MAX_BYTES, MAX_SIGNATURES, Note, NoteSignature, OpenError},
    },
};

/// The note in the documentation of Go's package note.
const PETERS_NOTE: &str = "If you think cryptography is the answer to your problem,\n\
     then you don't know what your problem is.\n\
     \n\
     — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

/// The checkpoint in C2SP tlog-cosignature.
const BEHIND_THE_SOFA: &str = "example.com/behind-the-sofa\n\
     20852163\n\
     CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\
     \n\
     — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n\
     — witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n";

#[test]
fn a_note_of_another_tool_is_opened() {
    let keys: [VerifierKey; 1] = [PETER.parse().expect("a key")];
    let note = Note::parse(PETERS_NOTE.as_bytes()).expect("a note");
    assert_eq!(note.to_string(), PETERS_NOTE);
    assert!(note.text().ends_with("what your problem is.\n"));
    let verified = note.open(&keys).expect("Peter's");
    assert_eq!((verified.len(), verified[0].key, verified[0].seconds), (1, &keys[0], None));

    let other = PETERS_NOTE.replace("answer", "question");
    let forged = OpenError::Forged { name: name("PeterNeumann"), key_id: 0xc74f_20a3 };
    assert_eq!(Note::parse(other.as_bytes()).expect("a note").open(&keys), Err(forged));
    let unsigned = OpenError::Unsigned { by: vec![name("PeterNeumann")] };
    assert_eq!(note.open(&[log().verifier_key().clone()]), Err(unsigned));
}

#[test]
fn the_checkpoint_of_the_specification_is_read() {
    let signed = SignedCheckpoint::parse(BEHIND_THE_SOFA.as_bytes()).expect("a checkpoint");
    assert_eq!(signed.to_string(), BEHIND_THE_SOFA);
    let checkpoint = signed.checkpoint();
    assert_eq!((checkpoint.origin(), checkpoint.size()), ("example.com/behind-the-sofa", 20_852_163));
    assert_eq!(checkpoint.root().to_string(), "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=");
    let ids: Vec<_> = signed.note().signatures().iter().map(NoteSignature::key_id).collect();
    assert_eq!(ids, [0x033d_e0ae, 0x8d66_cf3f]);
}

#[test]
fn signatures_by_unknown_keys_are_kept_and_ignored() {
    let checkpoint = cosigned(signed(0, EMPTY_ROOT), &[witness(1), witness(2)]);
    let read = SignedCheckpoint::parse(checkpoint.to_string().as_bytes()).expect("a checkpoint");
    assert_eq!(read, checkpoint);
    assert_eq!(read.note().signatures().len(), 3);
    let keys = [witness(2).verifier_key().clone()];
    let verified = read.note().open(&keys).expect("cosigned");
    assert_eq!((verified.len(), verified[0].seconds), (1, Some(NOW)));
    // The same signatures are not added again.
    let text = read.note().text().to_owned();
    assert_eq!(read.clone().with([witness(1).cosign(&text, NOW)]), Ok(read));
}

#[test]
fn a_cosignature_is_bound_to_its_time() {
    let (witness, text) = (witness(1), "a\n1\nb\n");
    let line = witness.cosign(text, NOW).to_string();
    let later = witness.cosign(text, NOW + 1).to_string();
    assert_ne!(line, later);
    // The signed text is the one in the specification.
    let expected = "cosignature/v1\ntime 1800000000\na\n1\nb\n";
    let note = Note::new(text.to_owned(), vec![line.parse().expect("a line")]).expect("a note");
    assert_eq!(note.open(&[witness.verifier_key().clone()]).expect("cosigned")[0].seconds, Some(1_800_000_000));
    let bytes = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, &line[line.len() - 104..]).expect("base64");
    let signature = ed25519_dalek::Signature::from_slice(&bytes[12..]).expect("64 bytes");
    let key = witness.verifier_key().public_key();
    assert!(key.verify_strict(expected.as_bytes(), &signature).is_ok());
    assert_eq!(bytes[4..12], 1_800_000_000_u64.to_be_bytes());
}

#[test]
fn a_malformed_note_is_refused_with_its_rule() {
    let text = |text: &str| Note::parse(text.as_bytes()).expect_err(text).to_string();
    let line = "— a AAAAAAA=\n";
    for (note, rule) in [
        ("", "an empty line between"),
        ("a\n— a AAAAAAA=\n", "an empty line between"),
        ("a\n\n", "the last line must be a signature"),
        ("a\n\n— a AAAAAAA=", "the last line must be a signature"),
        ("a\n\n— a AAAAAAA=\n\n", "the last line must be a signature"),
        ("a\n\n- a AAAAAAA=\n", "— <name> <base64"),
        ("a\n\n— a  AAAAAAA=\n", "— <name> <base64"),
        ("a\n\n— a AAAAAAA= \n", "— <name> <base64"),
        ("a\n\n— a AAAAAAA\n", "— <name> <base64"),
        ("a\n\n— a AAAAAAB=\n", "— <name> <base64"),
        ("a\n\n— a AAAAAA==\n", "— <name> <base64"),
        ("a\n\n— AAAAAAA=\n", "— <name> <base64"),
        ("a\n\n—  AAAAAAA=\n", "1 to 255 bytes"),
        ("a\n\n— a+b AAAAAAA=\n", "plus signs"),
        ("a\r\n\n— a AAAAAAA=\n", "no control characters"),
        ("a\0\n\n— a AAAAAAA=\n", "no control characters"),
    ] {
        assert!(text(note).contains(rule), "{note:?}: {}", text(note));
    }
    assert!(text(&format!("a\n\n{}", line.repeat(MAX_SIGNATURES + 1))).contains("1 to 100 signatures"));
    assert!(Note::parse(format!("a\n\n{}", line.repeat(MAX_SIGNATURES)).as_bytes()).is_ok());
    let longest = format!("{}\n\n{line}", "a".repeat(MAX_BYTES - "\n\n".len() - line.len()));
    assert!(Note::parse(longest.as_bytes()).is_ok());
    assert!(text(&format!("a{longest}")).contains("at most 262144 bytes"));
    assert!(Note::parse(b"a\xff\n\n").expect_err("not UTF-8").to_string().contains("UTF-8"));
    assert!(Note::new("a".to_owned(), vec![line.trim_end().parse().expect("a line")]).is_err());
    assert!(Note::new("a\n".to_owned(), Vec::new()).is_err());
}

#[test]
fn a_malformed_checkpoint_is_refused_with_its_rule() {
    let root = EMPTY_ROOT.to_string();
    let read = |text: &str| {
        let note = Note::new(text.to_owned(), vec![log().sign(text)]).expect("a note");
        Checkpoint::of(&note).map(|checkpoint| checkpoint.extensions().to_vec())
    };
    assert_eq!(read(&format!("o\n0\n{root}\n")), Ok(Vec::new()));
    let text = format!("an origin\n{}\n{root}\nmore\n", (1_u64 << 63) - 1);
    assert_eq!(read(&text), Ok(vec!["more".to_owned()]));
    for (text, rule) in [
        ("\n".to_owned(), "its origin in line 1"),
        ("o\n".to_owned(), "the size in line 2"),
        ("o\n1\n".to_owned(), "the root hash in line 3"),
        (format!("o\n01\n{root}\n"), "decimal digits"),
        (format!("o\n+1\n{root}\n"), "decimal digits"),
        (format!("o\n٣\n{root}\n"), "decimal digits"),
        (format!("o\n{}\n{root}\n", 1_u64 << 63), "at most 9223372036854775807"),
        (format!("o\n{}0\n{root}\n", u64::MAX), "at most 9223372036854775807"),
        ("o\n1\nAAAA\n".to_owned(), "the root hash must be 32 bytes"),
        (format!("o\n1\n{root} \n"), "the root hash must be 32 bytes"),
        (format!("\no\n1\n{root}\n"), "its origin in line 1"),
        (format!("o\n1\n{root}\n\n"), "no empty lines"),
        (format!("o\n1\n{root}\n\nmore\n"), "no empty lines"),
    ] {
        let error = read(&text).expect_err(&text).to_string();
        assert!(error.contains(rule), "{text:?}: {error}");
    }
}

#[test]
fn a_mistake_is_reported_on_one_short_line() {
    let found = |text: &str| Note::parse(text.as_bytes()).expect_err("no note").found;
    let text = format!("{}\u{1b}[31m\nmore", "x".repeat(70));
    let shown = text.replace('\u{1b}', "\\u{1b}").replace('\n', "\\u{a}");
    assert_eq!((found(&text), found(&format!("{text} and more"))), (shown.clone(), format!("{shown}…")));
    assert_eq!(found("\u{ad}\u{200b}\u{202e}ä"), "\\u{ad}\\u{200b}\\u{202e}ä");
}

proptest! {
    /// After a change of any byte it is not a checkpoint, or not one of the log.
    #[test]
    fn an_altered_checkpoint_is_not_the_logs(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let signed = receipts(3)[0].checkpoint.to_string();
        let mut bytes = signed.clone().into_bytes();
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != byte);
        bytes[at] = byte;
        if let Ok(read) = SignedCheckpoint::parse(&bytes) {
            prop_assert_eq!(read.to_string().into_bytes(), bytes);
            prop_assert!(read.note().open(&[log().verifier_key().clone()]).is_err());
        }
    }

    #[test]
    fn what_is_read_is_written_the_same(text in "[a0-2 \n]{0,12}(\n\n(— [ab+]{0,2} [AQ=]{0,9}\n?){0,3})?") {
        if let Ok(note) = Note::parse(text.as_bytes()) {
            prop_assert_eq!(note.to_string(), text);
        }
    }
}
