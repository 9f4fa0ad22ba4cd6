//! The keys of a witness: its own key, and the keys of the logs that it watches.

use std::sync::Arc;

use trust_log::tlog::{Cosigner, VerifierKey, key::KeyType};

#[derive(Clone)]
pub struct Witness {
    cosigner: Arc<Cosigner>,
    /// A log may have several keys under one name, for instance while it changes its key.
    logs: Arc<[VerifierKey]>,
}

impl Witness {
    /// `Err` names the key that is not a log's, is given twice, or is the witness's own.
    pub fn new(cosigner: Cosigner, logs: Vec<VerifierKey>) -> Result<Self, String> {
        if logs.is_empty() {
            return Err("a witness needs at least one log to watch".to_owned());
        }
        for (at, key) in logs.iter().enumerate() {
            let name = key.name();
            if key.key_type() != KeyType::Ed25519 {
                return Err(format!(
                    "the key of a log must be of type 1 (Ed25519), but the key of {name} is a witness's"
                ));
            }
            if logs[..at].contains(key) {
                return Err(format!("each key of a log must be given once, but the key of {name} is there twice"));
            }
            if key.public_key() == cosigner.verifier_key().public_key() {
                return Err(format!("a witness must not have the key of a log, but has the key of {name}"));
            }
        }
        Ok(Self { cosigner: Arc::new(cosigner), logs: logs.into() })
    }

    /// The keys of the log with this origin. Empty if the log is not watched.
    pub fn keys_of(&self, origin: &str) -> Vec<VerifierKey> {
        self.logs.iter().filter(|key| key.name().as_str() == origin).cloned().collect()
    }

    pub fn cosigner(&self) -> &Cosigner {
        &self.cosigner
    }
}
