//! Signed notes: a text and signatures, each with a name (C2SP signed-note).

use std::{fmt, str::FromStr};

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::{
    key::{KeyName, Verified, VerifierKey},
    lines,
    malformed::Malformed,
};

// In bytes. C2SP wants 16 signatures accepted, and the largest have nearly 5 kB.
pub const MAX_BYTES: usize = 256 * 1024;
pub const MAX_SIGNATURES: usize = 100;

/// A text with at least one signature. Call [`open`](Self::open) before you rely on the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<NoteSignature>,
}

/// A signature on a note, by a known or an unknown key. As text it is one line without its newline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    name: KeyName,
    key_id: u32,
    bytes: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    Unsigned {
        /// The names of its signatures.
        by: Vec<KeyName>,
    },
    /// A signature has the name and id of a known key, but is not by that key.
    Forged { name: KeyName, key_id: u32 },
}

impl Note {
    /// The text must end with a newline.
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

    /// Reads a note. Its text ends at the last empty line.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        Self::read(lines::utf8("a note", bytes, MAX_BYTES)?)
    }

    pub fn read(note: &str) -> Result<Self, Malformed> {
        let rule = "a note must have an empty line between its text and its signatures";
        let end = note.rfind("\n\n").ok_or_else(|| Malformed::new(rule, note))?;
        // Newlines are ASCII, so the slice ends between characters.
        Self::new(note[..=end].to_owned(), parse_signatures(&note[end + 2..])?)
    }

    /// The signed text, with its last newline.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All signatures, also those by unknown keys.
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// Adds signatures, for instance of witnesses. A signature that the note has already is not added again.
    pub fn with(mut self, more: impl IntoIterator<Item = NoteSignature>) -> Result<Self, Malformed> {
        for signature in more {
            if !self.signatures.contains(&signature) {
                self.signatures.push(signature);
            }
        }
        Self::new(self.text, self.signatures)
    }

    /// The signatures by these keys, at least one. Each of them must be valid. Signatures by other keys are ignored.
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
    pub(super) fn of(key: &VerifierKey, bytes: Vec<u8>) -> Self {
        Self { name: key.name().clone(), key_id: key.id(), bytes }
    }

    /// The claimed name of the signer.
    pub fn name(&self) -> &KeyName {
        &self.name
    }

    pub fn key_id(&self) -> u32 {
        self.key_id
    }

    /// Compares name and id only, not the signature.
    pub fn is_by(&self, key: &VerifierKey) -> bool {
        self.key_id == key.id() && self.name == *key.name()
    }
}

/// Reads lines of signatures, each with its newline.
pub fn parse_signatures(block: &str) -> Result<Vec<NoteSignature>, Malformed> {
    let lines = block.strip_suffix('\n');
    let lines = lines.ok_or_else(|| Malformed::new("the last line must be a signature, with its newline", block))?;
    // One more than the limit: enough to refuse the number without reading an endless list.
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
