//! The root secret of a service. Its signing keys are derived from it.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

// `Debug` does not print it, so that a log cannot contain it.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl Secret {
    /// Hashes a configured text of at least 32 bytes. The error is the rule.
    pub fn from_text(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.len() < 32 {
            return Err("must be at least 32 bytes of random text");
        }
        // A placeholder such as "xxxx…" in a configuration must not become a key.
        if text.bytes().all(|b| b == text.as_bytes()[0]) {
            return Err("must be random, not one repeated character");
        }
        Ok(Self(Sha256::digest(text.as_bytes()).into()))
    }

    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn derive(&self, purpose: &str) -> Self {
        Self::from_bytes(self.tag(&[purpose.as_bytes()]))
    }

    pub fn tag(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        for part in parts {
            // The length of each part, so that ["ab", "c"] and ["a", "bc"] have different tags.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_long_and_random_and_is_not_printed() {
        let random = "0123456789abcdef0123456789abcdef";
        let secret = Secret::from_text(random).expect("32 bytes");
        assert_eq!(format!("{secret:?}"), "[secret]");
        for text in [&random[1..], &format!("{}\n", &random[1..]), "x".repeat(40).as_str()] {
            assert!(Secret::from_text(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_tag_depends_on_where_its_parts_end() {
        let secret = Secret::from_bytes([7; 32]);
        assert_ne!(secret.tag(&[b"ab", b"c"]), secret.tag(&[b"a", b"bc"]));
        assert_ne!(secret.derive("cursor").tag(&[]), secret.derive("etag").tag(&[]));
    }
}
