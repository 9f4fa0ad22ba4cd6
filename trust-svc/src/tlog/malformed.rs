//! Why text is not of a format.

use std::fmt;

use shared_model::text;

/// The rule that text breaks, and the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// What must be what: "line 2, the size, must be …".
    pub rule: String,
    /// What it is, as far as it fits one line.
    pub found: String,
}

impl Malformed {
    /// Characters of [`Self::found`] at most.
    const SHOWN: usize = 80;

    /// `found` breaks `rule`.
    pub fn new(rule: impl Into<String>, found: &str) -> Self {
        let shown: String = found.chars().take(Self::SHOWN).collect();
        let more = if shown.len() < found.len() { "…" } else { "" };
        Self { rule: rule.into(), found: format!("{}{more}", text::printable(&shown)) }
    }

    /// Something has another number of things, or bytes, than `rule` says.
    pub fn count(rule: impl Into<String>, found: usize) -> Self {
        Self { rule: rule.into(), found: found.to_string() }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, and is \"{}\"", self.rule, self.found)
    }
}

impl std::error::Error for Malformed {}
