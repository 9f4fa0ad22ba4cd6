//! Whose signatures on notes are known: a name with a public key and what it signs (C2SP signed-note, verifier keys).

use std::{fmt, str::FromStr};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ed25519_dalek::Signature;
use sha2::{Digest, Sha256};
use shared_runtime::PublicKey;

use super::{cosignature, malformed::Malformed};

shared_model::text_type! {
    /// The name of a log or a witness, under which it signs notes: best a URL without its scheme.
    pub struct KeyName {
        pattern = "^[^ +]{1,255}$",
        example = "trust.example.com/wp-json/service-trust/v1/log",
        rule = "must be 1 to 255 bytes without blanks, control characters and plus signs",
        // The length is that of the names in C2SP tlog-cosignature.
        check = |text| (1..=255).contains(&text.len())
            && text.chars().all(|c| !c.is_whitespace() && !c.is_ascii_control() && c != '+'),
    }
}

/// What a key signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyType {
    /// The text of a note: a log's key.
    Ed25519,
    /// The text of a checkpoint, with the time ([`cosignature`]): a witness's key.
    CosignatureV1,
}

impl KeyType {
    fn byte(self) -> u8 {
        match self {
            Self::Ed25519 => 0x01,
            Self::CosignatureV1 => 0x04,
        }
    }
}

/// A key that signatures of notes are checked with. Text is `<name>+<id>+<base64 of type and key>`, as C2SP's tools
/// write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    name: KeyName,
    id: u32,
    key_type: KeyType,
    key: PublicKey,
}

/// A signature that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified<'a> {
    /// Whose it is.
    pub key: &'a VerifierKey,
    /// When a witness made it, in seconds since the Unix epoch; a log's has no time.
    pub seconds: Option<u64>,
}

impl VerifierKey {
    /// The key of this name.
    pub fn new(name: KeyName, key_type: KeyType, key: PublicKey) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(name.as_str());
        hasher.update([b'\n', key_type.byte()]);
        hasher.update(key.as_bytes());
        let [a, b, c, d, ..] = <[u8; 32]>::from(hasher.finalize());
        Self { name, id: u32::from_be_bytes([a, b, c, d]), key_type, key }
    }

    /// Whose it is.
    pub fn name(&self) -> &KeyName {
        &self.name
    }

    /// The first bytes of a hash of all of it: enough to find the key, not to trust it.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// What it signs.
    pub fn key_type(&self) -> KeyType {
        self.key_type
    }

    /// The key itself.
    pub fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// Checks the bytes of a signature on this text, strictly.
    pub fn verify(&self, text: &str, signature: &[u8]) -> Option<Verified<'_>> {
        let holds = |message: &str, signature: &Signature| {
            self.key.verifying_key().verify_strict(message.as_bytes(), signature).is_ok()
        };
        let seconds = match self.key_type {
            KeyType::Ed25519 => {
                let signature = Signature::from_slice(signature).ok()?;
                holds(text, &signature).then_some(None)?
            }
            KeyType::CosignatureV1 => {
                let (seconds, signature) = cosignature::decode(signature)?;
                holds(&cosignature::message(seconds, text), &signature).then_some(Some(seconds))?
            }
        };
        Some(Verified { key: self, seconds })
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [[self.key_type.byte()].as_slice(), self.key.as_bytes()].concat();
        write!(f, "{}+{:08x}+{}", self.name, self.id, BASE64_STANDARD.encode(bytes))
    }
}

impl FromStr for VerifierKey {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let broken = |rule: &str| Malformed::new(format!("a verifier key {rule}"), text);
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(id), Some(bytes)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(broken("must be <name>+<id>+<base64>"));
        };
        let name = name.parse().map_err(|rule| broken(&format!("has a name, which {rule}")))?;
        let bytes = BASE64_STANDARD.decode(bytes).ok();
        let (key_type, key) = match bytes.as_deref() {
            Some([0x01, key @ ..]) => (KeyType::Ed25519, key),
            Some([0x04, key @ ..]) => (KeyType::CosignatureV1, key),
            _ => {
                return Err(broken(
                    "must end with the base64 of its type, 1 (Ed25519) or 4 (cosignature/v1), and the key",
                ));
            }
        };
        let key = key.try_into().map_err(|_| broken("must have 32 bytes after its type"))?;
        let key = PublicKey::from_bytes(key).map_err(|rule| broken(&format!("has a public key, which {rule}")))?;
        let known = Self::new(name, key_type, key);
        if format!("{:08x}", known.id) == id {
            Ok(known)
        } else {
            Err(broken(&format!("of these bytes must have the id {:08x}", known.id)))
        }
    }
}
