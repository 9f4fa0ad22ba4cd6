//! The canonical text of content: compact JSON with its members in one order.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};
use shared_model::{Failure, Problem, Random, code};

use super::{
    content::{Content, Forbidden},
    hidden_text::{content_warnings, link_domains},
    limits::REQUEST_BYTES,
};

/// The canonical text of content, with its SHA-256, warnings and link domains.
// Stored once and answered as it is, without parsing it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    json: String,
    sha256: [u8; 32],
    warnings: Option<String>,
    link_domains: BTreeSet<String>,
}

impl Canonical {
    /// From typed content, whose fields fix the order of members.
    pub fn from_content<C: Content>(content: &C) -> Result<Self, Failure> {
        let warnings = serde_json::to_string(&content_warnings(content))?;
        let canonical = Self::stored(serde_json::to_string(content)?, Some(warnings));
        Ok(Self { link_domains: link_domains(content), ..canonical })
    }

    /// What a new file stores: the content with an id for each part; or why it may not be created.
    pub fn of_new<C: Content>(mut content: C, random: &Random) -> Result<Result<Self, Forbidden>, Failure> {
        content.give_ids(random);
        if let Some(forbidden) = content.forbidden() {
            return Ok(Err(forbidden));
        }
        let canonical = Self::from_content(&content)?;
        // After the ids: they can make it longer than what was sent.
        Ok(match canonical.too_long() {
            Some(problem) => Err(Forbidden { code: &code::INVALID_FIELD, problems: vec![problem] }),
            None => Ok(canonical),
        })
    }

    /// From a stored text and its stored warnings.
    pub fn stored(json: String, warnings: Option<String>) -> Self {
        let sha256 = Sha256::digest(json.as_bytes()).into();
        // Its link domains were stored with it, so there are none to add.
        Self { json, sha256, warnings, link_domains: BTreeSet::new() }
    }

    /// Adds link domains, for content that is not parsed here.
    pub fn linking_to(self, link_domains: BTreeSet<String>) -> Self {
        Self { link_domains, ..self }
    }

    pub fn as_str(&self) -> &str {
        &self.json
    }

    /// The length, which counts toward the quota of the workspace.
    pub fn bytes(&self) -> i64 {
        i64::try_from(self.json.len()).expect("a text in memory is shorter than 2^63 bytes")
    }

    /// The problem of new content that is too long.
    // Content of an earlier release may be longer, and stays readable.
    pub fn too_long(&self) -> Option<Problem> {
        let bytes = self.json.len();
        (bytes > REQUEST_BYTES).then(|| Problem {
            at: String::new(),
            rule: format!("must have at most {REQUEST_BYTES} bytes as JSON (request_bytes), has {bytes}"),
        })
    }

    /// In hexadecimal digits.
    pub fn sha256_hex(&self) -> String {
        hex::encode(self.sha256)
    }

    /// The warnings for readers as a JSON array; `None` if they were never computed.
    pub fn warnings(&self) -> Option<&str> {
        self.warnings.as_deref()
    }

    /// The domains that may be new to the workspace.
    pub fn link_domains(&self) -> &BTreeSet<String> {
        &self.link_domains
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_may_be_as_long_as_a_request() {
        let of = |bytes: usize| Canonical::stored("x".repeat(bytes), None).too_long().map(|problem| problem.rule);
        assert_eq!(of(2_097_152), None);
        let rule = "must have at most 2097152 bytes as JSON (request_bytes), has 2097153";
        assert_eq!(of(2_097_153).as_deref(), Some(rule));
    }
}
