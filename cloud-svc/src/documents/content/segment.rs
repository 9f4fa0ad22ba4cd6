//! A run of text in one style.

use serde::Serialize;
use shared_model::{FromJson, Node};
use utoipa::ToSchema;

/// Characters and bytes of a segment's text at most.
pub const TEXT: usize = 10_000;
/// Characters of a link at most.
pub const LINK: usize = 2048;

/// A run of text in one style.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// The text: at most 10000 characters and 10000 bytes.
    #[schema(max_length = 10000)]
    pub text: String,
    /// Whether it is bold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub bold: Option<bool>,
    /// Whether it is italic.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub italic: Option<bool>,
    /// Whether it is underlined.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub underline: Option<bool>,
    /// Where it leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 2048, pattern = "^(https?://|mailto:)")]
    pub link: Option<String>,
}

impl FromJson for Segment {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let text = members.required("text", |node| node.text(TEXT));
            let bold = members.optional("bold", |node| node.boolean());
            let italic = members.optional("italic", |node| node.boolean());
            let underline = members.optional("underline", |node| node.boolean());
            let link = members.optional("link", read_link);
            Some(Self { text: text?, bold: bold?, italic: italic?, underline: underline?, link: link? })
        })
    }
}

/// A link is shown to people as something to follow: only these schemes, and nothing that hides where it leads.
fn read_link(node: &Node<'_>) -> Option<String> {
    let text = node.str()?;
    if !["http://", "https://", "mailto:"].iter().any(|scheme| text.starts_with(scheme)) {
        return node.refuse("must start with http://, https:// or mailto:");
    }
    let length = text.chars().count();
    if length > LINK {
        return node.refuse(format!("must be at most {LINK} characters, has {length}"));
    }
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return node.refuse("must have no blanks and no control characters");
    }
    Some(text.to_owned())
}
