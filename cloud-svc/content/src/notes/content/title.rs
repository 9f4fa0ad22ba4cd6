//! The titles of notes.

use shared_model::{JsonReader, rule::Rule, text};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

/// One line of at most 190 characters and bytes, which may be empty.
pub struct Title;

impl Title {
    const MAX: usize = 190;
}

impl Rule for Title {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        let title = reader.str()?;
        if let Err(rule) = text::check(title, Self::MAX) {
            return reader.refuse(rule);
        }
        if title.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
            return reader.refuse("must be one line, with no control characters");
        }
        Some(title.to_owned())
    }

    fn schema() -> RefOr<Schema> {
        let pattern = Some(r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$");
        ObjectBuilder::new().schema_type(Type::String).max_length(Some(Self::MAX)).pattern(pattern).into()
    }
}
