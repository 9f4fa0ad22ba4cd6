//! The hash of an event: one for all spellings of its JSON.

use std::str::FromStr;

use diesel::{deserialize::FromSqlRow, expression::AsExpression};
use sha2::{Digest, Sha256};

/// The SHA-256 of an event's canonical text, written `sha256:` + 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, AsExpression, FromSqlRow)]
#[diesel(sql_type = diesel::sql_types::Text)]
pub struct EventHash([u8; 71]);

impl EventHash {
    /// The hash of an event whose canonical text this is.
    pub fn of(canonical: &str) -> Self {
        let mut text = [0; 71];
        let (scheme, digits) = text.split_at_mut(7);
        scheme.copy_from_slice(b"sha256:");
        hex::encode_to_slice(Sha256::digest(canonical.as_bytes()), digits).expect("64 digits hold 32 bytes");
        Self(text)
    }

    /// The hash as clients see it.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a hash is ASCII")
    }
}

impl FromStr for EventHash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match (text.as_bytes().try_into(), text.strip_prefix("sha256:")) {
            (Ok(bytes), Some(digits)) if digits.bytes().all(is_digit) => Ok(Self(bytes)),
            _ => Err("must be sha256: and 64 lowercase hex digits"),
        }
    }
}

// The example is the hash of the event that the document shows.
shared_model::text_column!(EventHash);
shared_model::text_in_json!(
    EventHash,
    ["`sha256:` + the SHA-256 of an event's canonical JSON."],
    pattern = "^sha256:[0-9a-f]{64}$",
    example = "sha256:2b5cc547bf383242910e722537265290659fe121cdbf6ad8db9fbf7d5a8a8c8b",
    rule = "must be sha256: and 64 lowercase hex digits"
);
