//! The root secret of a service, from which its signing keys are derived.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// 32 secret bytes, which `Debug` does not print.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl Secret {
    /// The secret behind a configured text of at least 32 bytes; a shorter one is refused with a reason.
    pub fn from_text(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.len() < 32 {
            return Err("must be at least 32 bytes of random text");
        }
        if text.bytes().all(|b| b == text.as_bytes()[0]) {
            return Err("must be random, not one repeated character");
        }
        Ok(Self(Sha256::digest(text.as_bytes()).into()))
    }

    /// The secret made of these 32 bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A key for one purpose, so that a tag made for one is never valid for another.
    pub fn derive(&self, purpose: &str) -> Self {
        Self::from_bytes(self.tag(&[purpose.as_bytes()]))
    }

    /// HMAC-SHA-256 over the parts, each preceded by its length, so that no two lists of parts collide.
    pub fn tag(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}
