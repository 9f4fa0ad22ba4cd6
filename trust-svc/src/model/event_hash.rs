//! The hash of an event. All spellings of the same JSON have the same hash.

use std::str::FromStr;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use trust_log::canonical;

/// `sha256:` and 64 lowercase hexadecimal digits: the SHA-256 of the event's canonical text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventHash([u8; 71]);

impl EventHash {
    pub fn from_event(event: &Map<String, Value>) -> Self {
        Self::from_canonical(&canonical::object_text(event))
    }

    /// For a caller that needs the canonical text too, and so has written it already.
    pub fn from_canonical(text: &str) -> Self {
        let mut hash = [0; 71];
        let (scheme, digits) = hash.split_at_mut(7);
        scheme.copy_from_slice(b"sha256:");
        hex::encode_to_slice(Sha256::digest(text.as_bytes()), digits).expect("64 digits hold 32 bytes");
        Self(hash)
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a hash is ASCII")
    }
}

impl FromStr for EventHash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Uppercase digits would be a second spelling of the same hash.
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match (text.as_bytes().try_into(), text.strip_prefix("sha256:")) {
            (Ok(bytes), Some(digits)) if digits.bytes().all(is_digit) => Ok(Self(bytes)),
            _ => Err("must be sha256: and 64 lowercase hex digits"),
        }
    }
}

shared_model::text_column!(EventHash);
// The example is the hash of the example event.
shared_model::text_in_json!(
    EventHash,
    ["`sha256:` + the SHA-256 of an event's canonical JSON."],
    pattern = "^sha256:[0-9a-f]{64}$",
    example = "sha256:2b5cc547bf383242910e722537265290659fe121cdbf6ad8db9fbf7d5a8a8c8b",
    rule = "must be sha256: and 64 lowercase hex digits"
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_hash_has_one_spelling(event in "\\PC{0,20}", other in "(sha256:)?[0-9a-fA-F]{60,68}") {
            let hash = EventHash::from_canonical(&event);
            prop_assert_eq!(hash.to_string().parse(), Ok(hash));
            if let Ok(parsed) = other.parse::<EventHash>() {
                prop_assert_eq!(parsed.to_string(), other);
            }
        }
    }
}
