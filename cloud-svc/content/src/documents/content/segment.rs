//! The segments of blocks.

use serde::{Deserialize, Serialize};
use shared_model::{
    JsonReader,
    rule::{Rule, Text},
};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

/// The most characters and bytes of a segment's text.
pub const TEXT_MAX: usize = 10_000;

shared_model::json_object! {
    /// A run of text in one style.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Segment {
        pub text: String as Text<TEXT_MAX>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub bold: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub italic: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub underline: Option<bool>,
        /// The target of a link.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub link: Option<String> as Link,
    }
}

// People follow these links in a browser: no scheme runs code, and no space or control character hides the target.
pub struct Link;

impl Link {
    const MAX: usize = 2048;

    /// `Err` is the broken rule.
    pub fn check(text: &str) -> Result<(), String> {
        if !["http://", "https://", "mailto:"].iter().any(|scheme| text.starts_with(scheme)) {
            return Err("must start with http://, https:// or mailto:".to_owned());
        }
        let length = text.chars().count();
        if length > Self::MAX {
            return Err(format!("must be at most {} characters, has {length}", Self::MAX));
        }
        if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err("must have no spaces and no control characters".to_owned());
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
