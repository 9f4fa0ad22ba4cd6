//! `req_` + 32 lowercase hexadecimal digits: the thread from an answer to its log lines.

use std::fmt;

/// The id of one request. Unique, not secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestId([u8; 36]);

impl RequestId {
    /// A fresh id.
    pub fn random() -> Self {
        let bytes: [u8; 16] = rand::random();
        let mut text = *b"req_00000000000000000000000000000000";
        hex::encode_to_slice(bytes, &mut text[4..]).expect("32 digits hold 16 bytes");
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("hexadecimal digits are UTF-8")
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
