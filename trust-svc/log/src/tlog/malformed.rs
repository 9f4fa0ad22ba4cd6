//! The error of every parser.

use std::fmt;

/// A broken rule, and the text that breaks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// For example `the size must be decimal digits`.
    pub rule: String,
    // The text, shortened to one line. It may come from a stranger, so it has no control characters.
    pub found: String,
}

impl Malformed {
    const MAX_CHARACTERS: usize = 80;

    pub fn new(rule: impl Into<String>, found: &str) -> Self {
        let shown: String = found.chars().take(Self::MAX_CHARACTERS).collect();
        let more = if shown.len() < found.len() { "…" } else { "" };
        Self { rule: rule.into(), found: format!("{}{more}", printable(&shown)) }
    }

    /// For a wrong number of bytes or of other things.
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

/// Escapes what could move a terminal's cursor, start a new line or reverse the text: `\u{1b}`.
fn printable(text: &str) -> String {
    let is_shown = |c: char| {
        let is_invisible = matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
            || matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e0fff}');
        !c.is_control() && !is_invisible
    };
    text.chars().map(|c| if is_shown(c) { c.to_string() } else { c.escape_unicode().to_string() }).collect()
}
