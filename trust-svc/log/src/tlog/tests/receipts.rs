//! Receipts, and what they prove.

use proptest::prelude::*;

use super::fixture::{NOW, cosigned, entry, log, name, policy, receipts, signed, witness};
use crate::{
    merkle::{EMPTY_ROOT, verify::ProofError},
    tlog::{
        checkpoint::{Checkpoint, SignedCheckpoint},
        key::VerifierKey,
        note::{Note, OpenError},
        proof::Receipt,
        signer::{Cosigner, NoteSigner},
        verify::{Cosigned, Policy, Untrusted, verify_receipt},
    },
};

#[test]
fn a_receipt_is_read_as_it_is_written() {
    for receipt in receipts(5) {
        let text = receipt.to_string();
        assert!(text.starts_with("c2sp.org/tlog-proof@v1\nindex "), "{text}");
        assert_eq!(Receipt::parse(text.as_bytes()).as_ref(), Ok(&receipt));
        let more = text.replace("index", "extra YWJj\nindex");
        let read = Receipt::parse(more.as_bytes()).expect("with something extra");
        assert_eq!((read.extra.as_deref(), read.to_string()), (Some(b"abc".as_slice()), more));
    }
}

#[test]
fn a_receipt_proves_its_entry_to_those_who_trust_the_log() {
    for receipt in receipts(7) {
        let proven = verify_receipt(&receipt, &entry(receipt.index), &policy(&[], 0)).expect("proven").clone();
        assert_eq!((proven.index, proven.checkpoint.size(), proven.cosigned.len()), (receipt.index, 7, 0));
        let other = verify_receipt(&receipt, &entry(receipt.index + 1), &policy(&[], 0));
        assert!(matches!(other, Err(Untrusted::Inclusion(ProofError::OtherRoot { .. }))), "{other:?}");
    }
}

#[test]
fn a_receipt_proves_nothing_to_those_who_trust_another_log() {
    let receipt = &receipts(2)[1];
    let verify = |signer: &NoteSigner| {
        let policy = Policy::new(signer.verifier_key().clone(), Vec::new(), 0).expect("a policy");
        verify_receipt(receipt, &entry(1), &policy).map(|proven| proven.index)
    };
    let other = NoteSigner::new(name("trust.example/log"), ed25519_dalek::SigningKey::from_bytes(&[2; 32]));
    let unsigned = OpenError::Unsigned { by: vec![name("trust.example/log")] };
    assert_eq!(verify(&other), Err(Untrusted::Checkpoint(unsigned)));
    // The key of one log is not accepted for another log.
    let other = Checkpoint::new(&name("other.example/log"), 1, EMPTY_ROOT).sign(&log()).expect("a note");
    let origin = "other.example/log".to_owned();
    let foreign = Receipt { checkpoint: other, ..receipt.clone() };
    assert_eq!(
        verify_receipt(&foreign, &entry(1), &policy(&[], 0)).map(|proven| proven.index),
        Err(Untrusted::OtherLog { log: name("trust.example/log"), origin })
    );
}

#[test]
fn enough_witnesses_must_have_cosigned() {
    let receipt = receipts(4).swap_remove(2);
    let all = [witness(1), witness(2), witness(3)];
    let verify = |receipt: &Receipt, needed| {
        verify_receipt(receipt, &entry(2), &policy(&all, needed)).map(|proven| proven.cosigned)
    };
    assert_eq!(verify(&receipt, 0), Ok(Vec::new()));
    assert_eq!(verify(&receipt, 1), Err(Untrusted::TooFewWitnesses { needed: 1, cosigned: 0 }));
    let two = Receipt { checkpoint: cosigned(receipt.checkpoint.clone(), &all[1..]), ..receipt.clone() };
    let by = |number| Cosigned { by: name(&format!("witness.example/w{number}")), seconds: NOW };
    assert_eq!(verify(&two, 2), Ok(vec![by(2), by(3)]));
    assert_eq!(verify(&two, 3), Err(Untrusted::TooFewWitnesses { needed: 3, cosigned: 2 }));

    // A witness that signs twice counts once, with its latest time.
    let text = two.checkpoint.note().text().to_owned();
    let later = NOW + 60;
    let twice = two.checkpoint.clone().with([all[1].cosign(&text, later)]).expect("a note");
    let twice = Receipt { checkpoint: twice, ..receipt };
    assert_eq!(verify(&twice, 3), Err(Untrusted::TooFewWitnesses { needed: 3, cosigned: 2 }));
    assert_eq!(verify(&twice, 2).expect("two")[0].seconds, later);
}

#[test]
fn witnesses_do_not_sign_for_the_log() {
    let witness = witness(1);
    let text = signed(0, EMPTY_ROOT).note().text().to_owned();
    let note = Note::new(text.clone(), vec![witness.cosign(&text, NOW)]).expect("a note");
    let checkpoint = SignedCheckpoint::of(note).expect("a checkpoint");
    let receipt = Receipt::new(0, Vec::new(), checkpoint);
    assert_eq!(
        verify_receipt(&receipt, &entry(0), &policy(&[witness], 1)).map(|proven| proven.index),
        Err(Untrusted::NotByLog { log: name("trust.example/log") })
    );
}

#[test]
fn a_policy_names_one_log_and_distinct_witnesses() {
    let (log, one) = (log().verifier_key().clone(), witness(1).verifier_key().clone());
    let again = Cosigner::new(name("witness.example/again"), ed25519_dalek::SigningKey::from_bytes(&[101; 32]));
    let refused = |log: &VerifierKey, witnesses: &[&VerifierKey], needed| {
        let witnesses = witnesses.iter().copied().cloned().collect();
        Policy::new(log.clone(), witnesses, needed).expect_err("no policy")
    };
    assert_eq!(policy(&[witness(1), witness(2), witness(3)], 2).needed(), 2);
    assert!(refused(&one, &[], 0).contains("type 1"));
    assert!(refused(&log, &[&log], 0).contains("type 4"));
    assert!(refused(&log, &[&one, again.verifier_key()], 1).contains("witness.example/again has the key of another"));
    assert_eq!(refused(&log, &[&one, &one], 1), "the witness key of witness.example/w1 is given twice");
    assert!(refused(&log, &[&one], 2).contains("at most 1 witnesses"));
}

#[test]
fn what_is_not_trusted_says_why() {
    let (log, other) = (name("trust.example/log"), name("other.example/log"));
    for (error, parts) in [
        (
            Untrusted::Checkpoint(OpenError::Unsigned { by: vec![other.clone()] }),
            ["none of the given keys", "other.ex"],
        ),
        (Untrusted::Checkpoint(OpenError::Forged { name: other, key_id: 0xab }), ["by other.example/log", "000000ab"]),
        (Untrusted::NotByLog { log: log.clone() }, ["by the log trust.example/log", "only witnesses"]),
        (Untrusted::OtherLog { log, origin: "o".to_owned() }, ["of the log trust.example/log", "is of o"]),
        (Untrusted::TooFewWitnesses { needed: 2, cosigned: 1 }, ["by 2 of", "is by 1"]),
        (Untrusted::Inclusion(ProofError::TooShort { hashes: 1 }), ["not the one at the receipt's index", "too few"]),
    ] {
        let text = error.to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
}

#[test]
fn a_malformed_receipt_is_refused_with_its_rule() {
    let receipt = receipts(2).swap_remove(0);
    let text = receipt.to_string();
    let hash = receipt.path[0].to_string();
    for (from, to, rule) in [
        ("tlog-proof@v1", "tlog-proof@v2", "the first line of a receipt must be c2sp.org/tlog-proof@v1"),
        ("index 0", "index", "a line index <0 to 9223372036854775807>"),
        ("index 0", "index 00", "decimal digits"),
        ("index 0", "index  0", "decimal digits"),
        ("index 0", "index 9223372036854775808", "at most 9223372036854775807"),
        ("index 0", "extra YQ=\nindex 0", "padded base64"),
        ("index 0", "extra YQ==\nextra YQ==\nindex 0", "a line index"),
        (hash.as_str(), "AAAA", "a hash must be 32 bytes"),
        (hash.as_str(), &format!("{hash}\n").repeat(64), "the number of hashes must be at most 63"),
        ("\n\n", "\n", "an empty line"),
    ] {
        let to = to.trim_end_matches('\n').to_owned() + if from == "\n\n" { "\n" } else { "" };
        let error = Receipt::parse(text.replace(from, &to).as_bytes()).expect_err(rule).to_string();
        assert!(error.contains(rule), "{to}: {error}");
    }
    let longest = text.replace(&hash, &[hash.as_str(); 63].join("\n"));
    assert_eq!(Receipt::parse(longest.as_bytes()).map(|receipt| receipt.path.len()), Ok(63));
    assert!(Receipt::parse(&vec![b'a'; 400_000]).expect_err("too long").to_string().contains("393216 bytes"));
}

proptest! {
    /// After a change of any byte it is not a receipt, or proves nothing.
    #[test]
    fn an_altered_receipt_proves_nothing(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let receipt = receipts(6).swap_remove(4);
        let mut bytes = receipt.to_string().into_bytes();
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != byte);
        bytes[at] = byte;
        if let Ok(read) = Receipt::parse(&bytes) {
            prop_assert_eq!(read.to_string().into_bytes(), bytes);
            prop_assert!(verify_receipt(&read, &entry(4), &policy(&[], 0)).is_err());
        }
    }

    #[test]
    fn arbitrary_lines_never_panic(
        head in "(c2sp.org/tlog-proof@v1|extra [a-z=]{0,4}|index [0-9]{0,20}|[A-Za-z0-9+/=]{0,45}|\n){0,8}"
    ) {
        let text = format!("{head}\n\n{}", signed(0, EMPTY_ROOT));
        if let Ok(receipt) = Receipt::parse(text.as_bytes()) {
            prop_assert_eq!(receipt.to_string(), text);
        }
    }
}
