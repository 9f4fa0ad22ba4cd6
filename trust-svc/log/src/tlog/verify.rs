//! Verifies checkpoints and receipts offline, with the keys that the caller trusts.

use std::fmt;

use super::{
    checkpoint::{Checkpoint, SignedCheckpoint},
    key::{KeyName, KeyType, Verified, VerifierKey},
    note::OpenError,
    proof::Receipt,
};
use crate::merkle::{
    leaf_hash,
    verify::{self, ProofError},
};

/// The log and the witnesses that the caller trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    // The log's key first, then the keys of the witnesses.
    keys: Vec<VerifierKey>,
    witnesses: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven<'a> {
    pub index: u64,
    pub checkpoint: &'a Checkpoint,
    /// The witnesses that have cosigned the checkpoint.
    pub cosigned: Vec<Cosigned>,
}

/// A witness's statement that it knew no larger tree of the log at this time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosigned {
    pub by: KeyName,
    /// The latest time of its cosignatures, in seconds since the Unix epoch.
    pub seconds: u64,
}

/// Why a checkpoint or a receipt proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untrusted {
    Checkpoint(OpenError),
    /// Only witnesses have signed the checkpoint, not the log.
    NotByLog {
        log: KeyName,
    },
    /// The checkpoint has another origin.
    OtherLog {
        log: KeyName,
        origin: String,
    },
    TooFewWitnesses {
        needed: usize,
        cosigned: usize,
    },
    /// The inclusion proof is not valid for this entry.
    Inclusion(ProofError),
}

impl Policy {
    /// The log and at least `needed` of the witnesses must have signed a checkpoint.
    pub fn new(log: VerifierKey, witnesses: Vec<VerifierKey>, needed: usize) -> Result<Self, String> {
        if log.key_type() != KeyType::Ed25519 {
            return Err(format!("the key of a log must be of type 1 (Ed25519), that of {} is a witness's", log.name()));
        }
        if let Some(other) = witnesses.iter().find(|key| key.key_type() != KeyType::CosignatureV1) {
            return Err(format!(
                "the key of a witness must be of type 4 (cosignature/v1), that of {} is a log's",
                other.name()
            ));
        }
        // A key with two names would count as two witnesses.
        let again = witnesses.iter().enumerate().find_map(|(at, key)| {
            let earlier = witnesses[..at].iter().find(|earlier| earlier.public_key() == key.public_key())?;
            Some((earlier.name(), key.name()))
        });
        if let Some((earlier, name)) = again {
            return Err(if earlier == name {
                format!("the witness key of {name} is given twice")
            } else {
                format!("each witness must have its own key; {name} has the key of another witness")
            });
        }
        if needed > witnesses.len() {
            return Err(format!(
                "at most {} witnesses can be needed, as many as have keys here, not {needed}",
                witnesses.len()
            ));
        }
        Ok(Self { keys: std::iter::once(log).chain(witnesses).collect(), witnesses: needed })
    }

    pub fn needed(&self) -> usize {
        self.witnesses
    }

    fn log(&self) -> &KeyName {
        self.keys[0].name()
    }
}

/// Checks that the log and enough witnesses have signed the checkpoint. Returns these witnesses.
pub fn verify_checkpoint(signed: &SignedCheckpoint, policy: &Policy) -> Result<Vec<Cosigned>, Untrusted> {
    let log = policy.log();
    let verified = signed.note().open(&policy.keys).map_err(Untrusted::Checkpoint)?;
    if !verified.iter().any(|Verified { key, .. }| key.key_type() == KeyType::Ed25519) {
        return Err(Untrusted::NotByLog { log: log.clone() });
    }
    let origin = signed.checkpoint().origin();
    if origin != log.as_str() {
        return Err(Untrusted::OtherLog { log: log.clone(), origin: origin.to_owned() });
    }
    let mut cosigned: Vec<Cosigned> = Vec::new();
    for Verified { key, seconds } in verified {
        let Some(seconds) = seconds else { continue };
        match cosigned.iter_mut().find(|cosigned| cosigned.by == *key.name()) {
            Some(earlier) => earlier.seconds = earlier.seconds.max(seconds),
            None => cosigned.push(Cosigned { by: key.name().clone(), seconds }),
        }
    }
    if cosigned.len() < policy.witnesses {
        return Err(Untrusted::TooFewWitnesses { needed: policy.witnesses, cosigned: cosigned.len() });
    }
    Ok(cosigned)
}

/// Checks that the log has exactly this entry at the receipt's index.
pub fn verify_receipt<'a>(receipt: &'a Receipt, entry: &[u8], policy: &Policy) -> Result<Proven<'a>, Untrusted> {
    let cosigned = verify_checkpoint(&receipt.checkpoint, policy)?;
    let checkpoint = receipt.checkpoint.checkpoint();
    verify::inclusion(receipt.index, checkpoint.size(), leaf_hash(entry), &receipt.path, checkpoint.root())
        .map_err(Untrusted::Inclusion)?;
    Ok(Proven { index: receipt.index, checkpoint, cosigned })
}

impl fmt::Display for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkpoint(error) => write!(f, "the checkpoint: {error}"),
            Self::NotByLog { log } => {
                write!(f, "the checkpoint must be signed by the log {log}, and only witnesses have")
            }
            Self::OtherLog { log, origin } => write!(f, "the checkpoint must be of the log {log}, and is of {origin}"),
            Self::TooFewWitnesses { needed, cosigned } => {
                write!(f, "the checkpoint must be cosigned by {needed} of the given witnesses, and is by {cosigned}")
            }
            Self::Inclusion(error) => write!(f, "the entry is not the one at the receipt's index: {error}"),
        }
    }
}

impl std::error::Error for Untrusted {}
