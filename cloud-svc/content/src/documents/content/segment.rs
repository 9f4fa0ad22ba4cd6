//! A run of text in one style.

use serde::{Deserialize, Serialize};
use shared_model::{
    JsonReader,
    rule::{Rule, Text},
};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

/// Characters and bytes of the text of a segment at most.
pub const TEXT_MAX: usize = 10_000;

shared_model::json_object! {
    /// A run of text in one style.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Segment {
        /// The text.
        pub text: String as Text<TEXT_MAX>,
        /// Whether it is bold.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub bold: Option<bool>,
        /// Whether it is italic.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub italic: Option<bool>,
        /// Whether it is underlined.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub underline: Option<bool>,
        /// Where it leads.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub link: Option<String> as Link,
    }
}

/// A URL that people are invited to follow: only these schemes, and nothing that hides where it leads.
pub struct Link;

impl Link {
    /// Characters at most.
    const MAX: usize = 2048;

    /// `Err` says the rule that it breaks.
    pub fn check(text: &str) -> Result<(), String> {
        if !["http://", "https://", "mailto:"].iter().any(|scheme| text.starts_with(scheme)) {
            return Err("must start with http://, https:// or mailto:".to_owned());
        }
        let length = text.chars().count();
        if length > Self::MAX {
            return Err(format!("must be at most {} characters, has {length}", Self::MAX));
        }
        if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err("must have no blanks and no control characters".to_owned());
        }
        Ok(())
    }
}

impl Rule for Link {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        let text = reader.str()?;
        Self::check(text).map_or_else(|rule| reader.refuse(rule), |()| Some(text.to_owned()))
    }

    fn schema() -> RefOr<Schema> {
        let pattern = Some(r"^(https?://|mailto:)[^\s\x00-\x1f\x7f-\x9f]*$");
        ObjectBuilder::new().schema_type(Type::String).max_length(Some(Self::MAX)).pattern(pattern).into()
    }
}
