//! Content as it is stored and shown: compact JSON with its members in one order, never parsed again to be answered.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_model::{Failure, Problem, json_reader};

use super::Content;

/// The canonical text of content, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    json: String,
    sha256: [u8; 32],
}

impl Canonical {
    /// The canonical text of `content`, whose type fixes the order of its members.
    pub fn of<C: Content>(content: &C) -> Result<Self, Failure> {
        Ok(Self::stored(serde_json::to_string(content)?))
    }

    /// What is stored already.
    pub fn stored(json: String) -> Self {
        let sha256 = Sha256::digest(json.as_bytes()).into();
        Self { json, sha256 }
    }

    /// The rules that the content breaks as a whole, though each of its parts keeps its own.
    pub fn broken_rules<C: Content>(&self) -> Result<Vec<Problem>, Failure> {
        let value: Value = serde_json::from_str(&self.json)?;
        Ok(json_reader::read::<C>(&value).err().unwrap_or_default())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.json
    }

    /// Its length, which counts towards the workspace's quota.
    pub fn bytes(&self) -> i64 {
        i64::try_from(self.json.len()).expect("a text in memory is shorter than 2^63 bytes")
    }

    /// Its SHA-256 in hexadecimal digits.
    pub fn sha256_hex(&self) -> String {
        hex::encode(self.sha256)
    }
}
