//! Signed notes: text under signatures, each by a name (C2SP signed-note).

use std::{fmt, str::FromStr};

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::{
    key::{KeyName, Verified, VerifierKey},
    lines,
    malformed::Malformed,
};

/// Bytes of a note at most. The specification wants 16 signatures admitted, and the largest have nearly 5 kB.
pub const MAX_BYTES: usize = 256 * 1024;
/// Signatures of a note at most.
pub const MAX_SIGNATURES: usize = 100;

/// Text with at least one signature. Whoever relies on the text must [`open`](Self::open) the note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<NoteSignature>,
}

/// A signature on a note, by a known key or not. Text is its line, without the end of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    name: KeyName,
    key_id: u32,
    bytes: Vec<u8>,
}

/// Why a note cannot be relied on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// No known key has signed it.
    Unsigned {
        /// The names that its signatures have.
        by: Vec<KeyName>,
    },
    /// A signature that has the name and id of a known key is not that key's.
    Forged {
        /// The name.
        name: KeyName,
        /// The id.
        key_id: u32,
    },
}

impl Note {
    /// Text with these signatures, in their order. The text ends with a newline.
    pub fn new(text: String, signatures: Vec<NoteSignature>) -> Result<Self, Malformed> {
        if !text.ends_with('\n') {
            return Err(Malformed::new("the text of a note must end with a newline", &text));
        }
        if let Some(control) = text.chars().find(|c| *c < ' ' && *c != '\n') {
            let rule = "the text of a note must have no control characters but newlines";
            return Err(Malformed::new(rule, control.encode_utf8(&mut [0; 4])));
        }
        if !(1..=MAX_SIGNATURES).contains(&signatures.len()) {
            let rule = format!("a note must have 1 to {MAX_SIGNATURES} signatures");
            return Err(Malformed::count(rule, signatures.len()));
        }
        let note = Self { text, signatures };
        let bytes = note.to_string().len();
        if bytes > MAX_BYTES {
            return Err(Malformed::count(format!("a note must have at most {MAX_BYTES} bytes"), bytes));
        }
        Ok(note)
    }

    /// Reads a note: its text ends at the last empty line.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        Self::read(lines::utf8("a note", bytes, MAX_BYTES)?)
    }

    /// Reads a note that is text already.
    pub fn read(note: &str) -> Result<Self, Malformed> {
        let rule = "a note must have an empty line between its text and its signatures";
        let end = note.rfind("\n\n").ok_or_else(|| Malformed::new(rule, note))?;
        // Both newlines are ASCII.
        Self::new(note[..=end].to_owned(), parse_signatures(&note[end + 2..])?)
    }

    /// What is signed, with its last newline.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All signatures, those by unknown keys too.
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// The note with more signatures: those of witnesses, after the log's. One that it has already is not added again.
    pub fn with(mut self, more: impl IntoIterator<Item = NoteSignature>) -> Result<Self, Malformed> {
        for signature in more {
            if !self.signatures.contains(&signature) {
                self.signatures.push(signature);
            }
        }
        Self::new(self.text, self.signatures)
    }

    /// The signatures by known keys, in their order, of which there is at least one. All of these must hold; those of
    /// others are ignored.
    pub fn open<'k>(&self, keys: &'k [VerifierKey]) -> Result<Vec<Verified<'k>>, OpenError> {
        let mut verified = Vec::new();
        for signature in &self.signatures {
            let Some(key) = keys.iter().find(|key| signature.is_by(key)) else { continue };
            let forged = || OpenError::Forged { name: signature.name.clone(), key_id: signature.key_id };
            verified.push(key.verify(&self.text, &signature.bytes).ok_or_else(forged)?);
        }
        if verified.is_empty() {
            return Err(OpenError::Unsigned { by: self.signatures.iter().map(|by| by.name.clone()).collect() });
        }
        Ok(verified)
    }
}

impl NoteSignature {
    /// A signature by this key.
    pub(super) fn of(key: &VerifierKey, bytes: Vec<u8>) -> Self {
        Self { name: key.name().clone(), key_id: key.id(), bytes }
    }

    /// Whose it says it is.
    pub fn name(&self) -> &KeyName {
        &self.name
    }

    /// The id of the key.
    pub fn key_id(&self) -> u32 {
        self.key_id
    }

    /// Whether it has the name and the id of this key.
    pub fn is_by(&self, key: &VerifierKey) -> bool {
        self.key_id == key.id() && self.name == *key.name()
    }
}

/// Reads the lines of signatures, each with its newline.
pub fn parse_signatures(block: &str) -> Result<Vec<NoteSignature>, Malformed> {
    let lines = block.strip_suffix('\n');
    let lines = lines.ok_or_else(|| Malformed::new("the last line must be a signature, with its newline", block))?;
    // One more than are admitted, so that their number is refused.
    lines.split('\n').take(MAX_SIGNATURES + 1).map(str::parse).collect()
}

impl FromStr for NoteSignature {
    type Err = Malformed;

    fn from_str(line: &str) -> Result<Self, Malformed> {
        let broken = || Malformed::new("a line of a signature must be — <name> <base64 of key id and signature>", line);
        let (name, base64) = line.strip_prefix("— ").and_then(|line| line.split_once(' ')).ok_or_else(broken)?;
        let name = name.parse().map_err(|rule| Malformed::new(format!("the name of a signature {rule}"), name))?;
        let bytes = BASE64_STANDARD.decode(base64).map_err(|_| broken())?;
        match bytes.split_first_chunk() {
            Some((key_id, bytes)) if !bytes.is_empty() => {
                Ok(Self { name, key_id: u32::from_be_bytes(*key_id), bytes: bytes.to_vec() })
            }
            _ => Err(broken()),
        }
    }
}

impl fmt::Display for NoteSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&self.key_id.to_be_bytes(), self.bytes.as_slice()].concat();
        write!(f, "— {} {}", self.name, BASE64_STANDARD.encode(bytes))
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|signature| writeln!(f, "{signature}"))
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned { by } => {
                let names: Vec<_> = by.iter().map(KeyName::as_str).collect();
                write!(f, "none of the given keys has signed it; it has signatures by {}", names.join(", "))
            }
            Self::Forged { name, key_id } => {
                write!(f, "the signature by {name} is not that of its key {key_id:08x} over this text")
            }
        }
    }
}

impl std::error::Error for OpenError {}
