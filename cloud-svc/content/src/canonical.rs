//! Content as it is stored and shown: compact JSON with its members in one order, never parsed again to be answered.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};
use shared_model::Failure;

use super::{
    content::Content,
    hidden_text::{content_warnings, link_domains},
};

/// The canonical text of content, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    json: String,
    sha256: [u8; 32],
    warnings: Option<String>,
    link_domains: BTreeSet<String>,
}

impl Canonical {
    /// The canonical text of `content`, whose type fixes the order of its members.
    pub fn of<C: Content>(content: &C) -> Result<Self, Failure> {
        let warnings = serde_json::to_string(&content_warnings(content))?;
        let canonical = Self::stored(serde_json::to_string(content)?, Some(warnings));
        Ok(Self { link_domains: link_domains(content), ..canonical })
    }

    /// What is stored already, with the warnings for its readers. The domains that it links to are known already.
    pub fn stored(json: String, warnings: Option<String>) -> Self {
        let sha256 = Sha256::digest(json.as_bytes()).into();
        Self { json, sha256, warnings, link_domains: BTreeSet::new() }
    }

    /// The same, and it links to these domains.
    pub fn linking_to(self, link_domains: BTreeSet<String>) -> Self {
        Self { link_domains, ..self }
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

    /// What readers should know of it, as a JSON array; none: nobody has looked yet.
    pub fn warnings(&self) -> Option<&str> {
        self.warnings.as_deref()
    }

    /// The domains that it links to, where they may be new to the workspace.
    pub fn link_domains(&self) -> &BTreeSet<String> {
        &self.link_domains
    }
}
