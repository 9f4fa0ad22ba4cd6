//! Receipts prove, offline and forever, that a log has an entry (C2SP tlog-proof).

use std::fmt;

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::{
    checkpoint::SignedCheckpoint,
    lines::{decimal, head_and_note, proof_lines},
    malformed::Malformed,
    note::{self, Note},
};
use crate::merkle::{Hash, size::MAX_SIZE};

// In bytes: the checkpoint, 63 hashes, and extra data.
pub const MAX_BYTES: usize = note::MAX_BYTES + 128 * 1024;

const FORMAT: &str = "c2sp.org/tlog-proof@v1";

/// The proof that the log of a checkpoint has an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Data that nobody signed. The trust service adds none: its entry is the published body, which the publisher has.
    pub extra: Option<Vec<u8>>,
    pub index: u64,
    /// The inclusion path in the tree of the checkpoint, from the leaf's sibling upwards.
    pub path: Vec<Hash>,
    pub checkpoint: SignedCheckpoint,
}

impl Receipt {
    pub fn new(index: u64, path: Vec<Hash>, checkpoint: SignedCheckpoint) -> Self {
        Self { extra: None, index, path, checkpoint }
    }

    /// Reads a receipt. Nothing in it is checked yet: see [`super::verify_receipt`].
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let (head, note) = head_and_note("a receipt", bytes, MAX_BYTES)?;
        let mut lines = head.into_iter().peekable();
        if lines.next_if_eq(&FORMAT).is_none() {
            let first = lines.next().unwrap_or_default();
            return Err(Malformed::new(format!("the first line of a receipt must be {FORMAT}"), first));
        }
        let extra = lines.next_if(|line| line.starts_with("extra ")).map(extra).transpose()?;
        let index = lines.next().unwrap_or_default();
        let index = index
            .strip_prefix("index ")
            .ok_or_else(|| Malformed::new(format!("a receipt must have a line index <0 to {MAX_SIZE}>"), index))?;
        let index = decimal("the index of a receipt", index)?;
        let path = proof_lines(&lines.collect::<Vec<_>>())?;
        Ok(Self { extra, index, path, checkpoint: SignedCheckpoint::of(Note::read(note)?)? })
    }
}

fn extra(line: &str) -> Result<Vec<u8>, Malformed> {
    let base64 = line.strip_prefix("extra ").unwrap_or(line);
    BASE64_STANDARD
        .decode(base64)
        .map_err(|_| Malformed::new("what is extra in a receipt must be padded base64", base64))
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { extra, index, path, checkpoint } = self;
        writeln!(f, "{FORMAT}")?;
        if let Some(extra) = extra {
            writeln!(f, "extra {}", BASE64_STANDARD.encode(extra))?;
        }
        writeln!(f, "index {index}")?;
        path.iter().try_for_each(|hash| writeln!(f, "{hash}"))?;
        write!(f, "\n{checkpoint}")
    }
}
