//! An answer as text for a model.

use serde_json::Value;

use super::text;

// Enough that two states never share it: tags are MACs, so nobody can search for one that begins alike.
pub(super) const SHORT_TAG: usize = 16;

/// The member of a body that goes only into its text: structured content is the body that the operation answers with.
pub const FOR_TEXT: &str = "for_text";

/// What a result says. The service's words stand outside of the block that marks what others wrote.
#[derive(Debug, Default)]
pub struct Written {
    /// Lines of the service: states, numbers, ids and tags, and never a text of anybody else.
    pub lines: Vec<String>,
    /// What others may have written.
    pub quoted: String,
    /// The URI of a resource that the tool's [`super::View`] shows to people.
    pub shown: Option<String>,
}

impl Written {
    pub fn line(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }

    /// A call that follows from this result.
    pub fn next(self, tool: &str, arguments: &Value) -> Self {
        self.line(format!("Next: {tool} {arguments}"))
    }

    pub fn quoting(mut self, quoted: impl Into<String>) -> Self {
        self.quoted = quoted.into();
        self
    }

    pub fn shown_at(mut self, uri: String) -> Self {
        self.shown = Some(uri);
        self
    }

    pub(super) fn outline(body: &Value) -> Self {
        Self { quoted: text::outline(body), ..Self::default() }
    }

    pub(super) fn into_text(self) -> String {
        let mut lines = self.lines;
        if !self.quoted.trim().is_empty() {
            // Random: content that knows the id could close the block.
            lines.push(text::untrusted(&format!("{:08x}", rand::random::<u32>()), self.quoted.trim_end()));
        }
        if lines.is_empty() {
            lines.push("Done.".to_owned());
        }
        lines.join("\n")
    }
}

/// The beginning of an entity tag, as tools show it and take it back: models pay for each digit.
pub fn short_tag(tag: &str) -> &str {
    let digits = tag.trim_matches('"');
    digits.get(..SHORT_TAG).unwrap_or(digits)
}
