//! A run of text in one style.

use serde::Serialize;
use shared_model::{FromJson, JsonReader};
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
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let text = object.required("text", |reader| reader.text(TEXT));
            let bold = object.optional("bold", |reader| reader.boolean());
            let italic = object.optional("italic", |reader| reader.boolean());
            let underline = object.optional("underline", |reader| reader.boolean());
            let link = object.optional("link", read_link);
            Some(Self { text: text?, bold: bold?, italic: italic?, underline: underline?, link: link? })
        })
    }
}

/// A link is shown to people as something to follow: only these schemes, and nothing that hides where it leads.
fn read_link(reader: &JsonReader<'_>) -> Option<String> {
    let text = reader.str()?;
    if !["http://", "https://", "mailto:"].iter().any(|scheme| text.starts_with(scheme)) {
        return reader.refuse("must start with http://, https:// or mailto:");
    }
    let length = text.chars().count();
    if length > LINK {
        return reader.refuse(format!("must be at most {LINK} characters, has {length}"));
    }
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return reader.refuse("must have no blanks and no control characters");
    }
    Some(text.to_owned())
}
