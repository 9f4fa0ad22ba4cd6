//! The keys of a witness: its own, and those of the logs that it watches.

use std::sync::Arc;

use crate::tlog::{Cosigner, VerifierKey, key::KeyType};

/// What a witness signs with, and whose checkpoints.
#[derive(Clone)]
pub struct Witness {
    cosigner: Arc<Cosigner>,
    /// A log may have several keys, all under its name.
    logs: Arc<[VerifierKey]>,
}

impl Witness {
    /// A witness of the logs with these keys; an error says which is none of a log, or which is there twice.
    pub fn new(cosigner: Cosigner, logs: Vec<VerifierKey>) -> Result<Self, String> {
        if logs.is_empty() {
            return Err("a witness needs at least one log to watch".to_owned());
        }
        for (at, key) in logs.iter().enumerate() {
            let name = key.name();
            if key.key_type() != KeyType::Ed25519 {
                return Err(format!("the key of a log must be of type 1 (Ed25519), that of {name} is a witness's"));
            }
            if logs[..at].contains(key) {
                return Err(format!("each key of a log must be given once, that of {name} is there twice"));
            }
            if key.public_key() == cosigner.verifier_key().public_key() {
                return Err(format!("a witness must have a key of its own, and has that of the log {name}"));
            }
        }
        Ok(Self { cosigner: Arc::new(cosigner), logs: logs.into() })
    }

    /// The keys of the log of this origin; none when the log is not watched.
    pub fn keys_of(&self, origin: &str) -> Vec<VerifierKey> {
        self.logs.iter().filter(|key| key.name().as_str() == origin).cloned().collect()
    }

    /// What it signs with.
    pub fn cosigner(&self) -> &Cosigner {
        &self.cosigner
    }
}
