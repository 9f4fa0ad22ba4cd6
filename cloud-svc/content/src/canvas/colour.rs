//! Colours.

use shared_model::{JsonReader, rule::Rule};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

/// `#` and six hexadecimal digits, kept as sent.
pub struct Colour;

impl Rule for Colour {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        let colour = reader.str()?;
        let is_colour = colour
            .strip_prefix('#')
            .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if is_colour { Some(colour.to_owned()) } else { reader.refuse("must be # and six hexadecimal digits") }
    }

    fn schema() -> RefOr<Schema> {
        let colour = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^#[0-9A-Fa-f]{6}$"));
        colour.examples(["#1a2b3c"]).into()
    }
}
