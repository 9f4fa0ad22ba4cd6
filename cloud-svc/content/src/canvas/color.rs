//! Colors.

use shared_model::{JsonReader, rule::Rule};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

/// `#` and six hexadecimal digits, kept as sent.
pub struct Color;

impl Rule for Color {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        let color = reader.str()?;
        let is_color = color
            .strip_prefix('#')
            .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if is_color { Some(color.to_owned()) } else { reader.refuse("must be # and six hexadecimal digits") }
    }

    fn schema() -> RefOr<Schema> {
        let color = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^#[0-9A-Fa-f]{6}$"));
        color.examples(["#1a2b3c"]).into()
    }
}
