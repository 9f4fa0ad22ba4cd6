//! Checkpoints: the size and root of a log, signed by the log (C2SP tlog-checkpoint).

use std::fmt;

use super::{
    key::KeyName,
    lines::decimal,
    malformed::Malformed,
    note::{Note, NoteSignature},
    signer::NoteSigner,
};
use crate::merkle::{Hash, hash};

/// As text: origin, size, root and extension lines, each on its own line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    origin: String,
    size: u64,
    root: Hash,
    extensions: Vec<String>,
}

impl Checkpoint {
    pub fn new(origin: &KeyName, size: u64, root: Hash) -> Self {
        Self { origin: origin.as_str().to_owned(), size, root, extensions: Vec::new() }
    }

    /// Reads the text of a note. Signatures are not checked.
    pub fn of(note: &Note) -> Result<Self, Malformed> {
        let text = note.text();
        let mut lines = text.trim_end_matches('\n').split('\n');
        let mut line = |number, what| {
            let line = lines.next().filter(|line| !line.is_empty());
            line.ok_or_else(|| Malformed::new(format!("a checkpoint must have {what} in line {number}"), text))
        };
        let (origin, size, root) = (line(1, "its origin")?, line(2, "the size")?, line(3, "the root hash")?);
        let root = root.parse().map_err(|_| Malformed::new(format!("the root hash {}", hash::RULE), root))?;
        let extensions: Vec<_> = lines.map(str::to_owned).collect();
        let checkpoint =
            Self { origin: origin.to_owned(), size: decimal("the size of a checkpoint", size)?, root, extensions };
        // An empty line among the extensions or at the end would be a second spelling.
        if checkpoint.extensions.iter().any(String::is_empty) || checkpoint.to_string() != text {
            return Err(Malformed::new("a checkpoint must have no empty lines", text));
        }
        Ok(checkpoint)
    }

    /// The name of the log.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    pub fn root(&self) -> Hash {
        self.root
    }

    /// Further lines. This crate gives them no meaning.
    pub fn extensions(&self) -> &[String] {
        &self.extensions
    }

    pub fn sign(self, signer: &NoteSigner) -> Result<SignedCheckpoint, Malformed> {
        let text = self.to_string();
        let signature = signer.sign(&text);
        Ok(SignedCheckpoint { checkpoint: self, note: Note::new(text, vec![signature])? })
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, size, root, extensions } = self;
        write!(f, "{origin}\n{size}\n{root}\n")?;
        extensions.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// A checkpoint with its signatures, which are not checked yet. As text it is the whole note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedCheckpoint {
    checkpoint: Checkpoint,
    note: Note,
}

impl SignedCheckpoint {
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        Self::of(Note::parse(bytes)?)
    }

    pub fn of(note: Note) -> Result<Self, Malformed> {
        Ok(Self { checkpoint: Checkpoint::of(&note)?, note })
    }

    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    pub fn note(&self) -> &Note {
        &self.note
    }

    /// Adds the cosignatures of witnesses.
    pub fn with(self, cosignatures: impl IntoIterator<Item = NoteSignature>) -> Result<Self, Malformed> {
        Ok(Self { checkpoint: self.checkpoint, note: self.note.with(cosignatures)? })
    }
}

impl fmt::Display for SignedCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.note.fmt(f)
    }
}
