//! A log, its witnesses, and what they sign.

use ed25519_dalek::SigningKey;

use crate::{
    merkle::{Frontier, append, leaf_hash},
    tlog::{
        checkpoint::{Checkpoint, SignedCheckpoint},
        key::{KeyName, VerifierKey},
        proof::Receipt,
        signer::{Cosigner, NoteSigner},
        verify::Policy,
    },
};

/// In seconds since the Unix epoch.
pub const NOW: u64 = 1_800_000_000;

pub fn name(text: &str) -> KeyName {
    text.parse().expect("a name")
}

pub fn log() -> NoteSigner {
    NoteSigner::new(name("trust.example/log"), SigningKey::from_bytes(&[1; 32]))
}

pub fn witness(number: u8) -> Cosigner {
    Cosigner::new(name(&format!("witness.example/w{number}")), SigningKey::from_bytes(&[100 + number; 32]))
}

pub fn entry(index: u64) -> Vec<u8> {
    format!(r#"{{"entry":{index}}}"#).into_bytes()
}

/// The receipts of all entries of a log of this size.
pub fn receipts(size: u64) -> Vec<Receipt> {
    let leaves: Vec<_> = (0..size).map(|index| leaf_hash(&entry(index))).collect();
    let appended = append(&Frontier::default(), &leaves).expect("room");
    let checkpoint = signed(size, appended.root());
    let receipt = |(index, path)| Receipt::new(index, path, checkpoint.clone());
    (0..).zip(appended.inclusion_paths()).map(receipt).collect()
}

pub fn signed(size: u64, root: crate::merkle::Hash) -> SignedCheckpoint {
    Checkpoint::new(log().verifier_key().name(), size, root).sign(&log()).expect("a note")
}

/// With the cosignatures of these witnesses.
pub fn cosigned(checkpoint: SignedCheckpoint, witnesses: &[Cosigner]) -> SignedCheckpoint {
    let text = checkpoint.note().text().to_owned();
    checkpoint.with(witnesses.iter().map(|witness| witness.cosign(&text, NOW))).expect("a note")
}

pub fn policy(witnesses: &[Cosigner], needed: usize) -> Policy {
    let keys: Vec<VerifierKey> = witnesses.iter().map(|witness| witness.verifier_key().clone()).collect();
    Policy::new(log().verifier_key().clone(), keys, needed).expect("a policy")
}
