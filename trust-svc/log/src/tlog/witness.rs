//! The messages between a log and its witnesses (C2SP tlog-witness).

use std::fmt;

use super::{
    checkpoint::SignedCheckpoint,
    lines::{decimal, head_and_note, proof_lines, utf8},
    malformed::Malformed,
    note::{self, Note, NoteSignature, parse_signatures},
};
use crate::merkle::Hash;

// In bytes: the checkpoint and 63 hashes.
pub const MAX_BYTES: usize = note::MAX_BYTES + 4 * 1024;

/// The media type of a 409 with the size of the latest checkpoint that the witness has cosigned.
pub const SIZE_MEDIA_TYPE: &str = "text/x.tlog.size";

/// The body of `POST /add-checkpoint`: a log requests a cosignature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddCheckpoint {
    /// The size of the latest checkpoint that the witness has cosigned, as far as the log knows.
    pub old_size: u64,
    /// The proof that the new tree begins with the old one.
    pub consistency: Vec<Hash>,
    pub checkpoint: SignedCheckpoint,
}

impl AddCheckpoint {
    /// Reads a body. Signatures and proof are not checked yet.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let (head, note) = head_and_note("the request", bytes, MAX_BYTES)?;
        // Splitting text always gives a first line, even an empty one.
        let (first, consistency) = head.split_first().map_or(("", [].as_slice()), |(first, rest)| (*first, rest));
        let old_size = first.strip_prefix("old ");
        let old_size = old_size.ok_or_else(|| Malformed::new("the first line must be old <size>", first))?;
        let old_size = decimal("the old size", old_size)?;
        let consistency = proof_lines(consistency)?;
        let checkpoint = SignedCheckpoint::of(Note::read(note)?)?;
        let size = checkpoint.checkpoint().size();
        if old_size > size {
            let rule = format!("the old size must be at most that of the checkpoint, {size}");
            return Err(Malformed::new(rule, &old_size.to_string()));
        }
        Ok(Self { old_size, consistency, checkpoint })
    }
}

impl fmt::Display for AddCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { old_size, consistency, checkpoint } = self;
        writeln!(f, "old {old_size}")?;
        consistency.iter().try_for_each(|hash| writeln!(f, "{hash}"))?;
        write!(f, "\n{checkpoint}")
    }
}

/// The body of a 200: one cosignature per line.
pub fn print_cosignatures(cosignatures: &[NoteSignature]) -> String {
    cosignatures.iter().map(|signature| format!("{signature}\n")).collect()
}

/// Reads the body of a 200. Signatures are not checked yet: add them with [`SignedCheckpoint::with`], then open the
/// note with the witness's key.
pub fn parse_cosignatures(bytes: &[u8]) -> Result<Vec<NoteSignature>, Malformed> {
    parse_signatures(utf8("the cosignatures", bytes, note::MAX_BYTES)?)
}

/// The body of a 409 of type [`SIZE_MEDIA_TYPE`].
pub fn print_size(size: u64) -> String {
    format!("{size}\n")
}

/// Reads the body of a 409 of type [`SIZE_MEDIA_TYPE`].
pub fn parse_size(bytes: &[u8]) -> Result<u64, Malformed> {
    let text = utf8("the size", bytes, 32)?;
    let line = text.strip_suffix('\n').ok_or_else(|| Malformed::new("the size must end with a newline", text))?;
    decimal("the size", line)
}
