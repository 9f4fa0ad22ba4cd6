//! Keys that verify notes: a name, a public key, and what the key signs (verifier keys of C2SP signed-note).

use std::{fmt, str::FromStr};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest, Sha256};

use super::{cosignature, malformed::Malformed};

/// The name under which a log or a witness signs notes. C2SP recommends a URL without its scheme.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyName(String);

impl KeyName {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for KeyName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // C2SP tlog-cosignature limits names to 255 bytes. A space or a plus sign would end the name in a note or in a
        // verifier key.
        let is_allowed = |c: char| !c.is_whitespace() && !c.is_ascii_control() && c != '+';
        if (1..=255).contains(&text.len()) && text.chars().all(is_allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be 1 to 255 bytes without spaces, control characters and plus signs")
        }
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

// What a key signs. A log's key must never verify a cosignature, so the type is part of the key's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyType {
    /// The text of a note. The key of a log.
    Ed25519,
    /// The text of a checkpoint with the time ([`cosignature`]). The key of a witness.
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

/// A key that verifies signatures of notes. As text it is `<name>+<id>+<base64 of type and key>`, as C2SP's tools write
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    name: KeyName,
    id: u32,
    key_type: KeyType,
    key: VerifyingKey,
}

/// A valid signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified<'a> {
    pub key: &'a VerifierKey,
    /// The time of a witness's cosignature, in seconds since the Unix epoch. A log's signature has no time.
    pub seconds: Option<u64>,
}

impl VerifierKey {
    /// Refuses a weak public key.
    pub fn new(name: KeyName, key_type: KeyType, key: VerifyingKey) -> Result<Self, &'static str> {
        if key.is_weak() {
            return Err("must not be a weak key (of small order): anyone could sign for it");
        }
        let mut hasher = Sha256::new();
        hasher.update(name.as_str());
        hasher.update([b'\n', key_type.byte()]);
        hasher.update(key.as_bytes());
        let [a, b, c, d, ..] = <[u8; 32]>::from(hasher.finalize());
        Ok(Self { name, id: u32::from_be_bytes([a, b, c, d]), key_type, key })
    }

    pub fn name(&self) -> &KeyName {
        &self.name
    }

    // The first bytes of a hash of name, type and key. They find a key but do not prove it: ids can collide.
    pub fn id(&self) -> u32 {
        self.id
    }

    pub fn key_type(&self) -> KeyType {
        self.key_type
    }

    pub fn public_key(&self) -> &VerifyingKey {
        &self.key
    }

    // Strict: the lax check of RFC 8032 accepts several encodings of one signature.
    pub fn verify(&self, text: &str, signature: &[u8]) -> Option<Verified<'_>> {
        let holds =
            |message: &str, signature: &Signature| self.key.verify_strict(message.as_bytes(), signature).is_ok();
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
        let key = VerifyingKey::from_bytes(key).map_err(|_| "must be an Ed25519 public key");
        let known = key.and_then(|key| Self::new(name, key_type, key));
        let known = known.map_err(|rule| broken(&format!("has a public key, which {rule}")))?;
        if format!("{:08x}", known.id) == id {
            Ok(known)
        } else {
            Err(broken(&format!("of these bytes must have the id {:08x}", known.id)))
        }
    }
}
