//! Names of files and drafts: one line that looks the same to every reader and works in every file system.

use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::{
    json_reader::{FromJson, JsonReader},
    text,
};

/// Characters and bytes of a name at most.
pub const MAX: usize = 190;

// For OpenAPI. It does not express the length, invisible characters, and the names `.` and `..`.
const PATTERN: &str = r"^[^\x00-\x20\x7f-\xa0/]([^\x00-\x1f\x7f-\x9f/]*[^\x00-\x20\x7f-\xa0/])?$";

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Name(String);

impl Name {
    /// Parses and normalizes. The error is the rule.
    pub fn parse(text: &str) -> Result<Self, String> {
        let name: String = text.nfc().collect();
        if name.is_empty() {
            return Err("must not be empty".to_owned());
        }
        text::check_length(&name, MAX)?;
        // Both forms: normalization may shorten the text, and the schema's maximum is for the text that was sent.
        text::check_length(text, MAX)?;
        if name.chars().any(|c| c == '/' || c.is_control()) {
            return Err("must have no slash and no control characters".to_owned());
        }
        text::check_visible(&name)?;
        // File systems and URLs read these as folders.
        if name == "." || name == ".." {
            return Err("must not be \".\" or \"..\"".to_owned());
        }
        Ok(Self(name))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromJson for Name {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        Self::parse(reader.str()?).map_or_else(|rule| reader.refuse(rule), Some)
    }
}

impl utoipa::PartialSchema for Name {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::Type::String)
            .min_length(Some(1))
            .max_length(Some(MAX))
            .pattern(Some(PATTERN))
            .examples(["Minutes"])
            .into()
    }
}
impl utoipa::ToSchema for Name {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_deceive_are_refused() {
        for text in
            ["", " a", "a ", ".", "..", "a/b", "a\nb", "a\u{202e}b", "a\u{200b}b", "a\0b", "a\u{85}b", "\u{3164}"]
        {
            assert!(Name::parse(text).is_err(), "{text:?}");
        }
        assert!(Name::parse(&"ä".repeat(96)).is_err());
        assert!(Name::parse(&"ä".repeat(95)).is_ok());
    }

    #[test]
    fn names_are_stored_in_form_c() {
        assert_eq!(Name::parse("e\u{301}").expect("valid").as_str(), "é");
    }
}
