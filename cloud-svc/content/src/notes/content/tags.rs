//! The tags of notes.

use std::collections::HashSet;

use shared_model::{
    JsonReader,
    rule::{Array, OneLine, Rule},
};
use unicode_normalization::UnicodeNormalization;
use utoipa::openapi::{RefOr, Schema};

/// At most 20 unique tags of at most 40 characters and bytes, in Unicode normalization form C.
pub struct Tags;

impl Rule for Tags {
    type Value = Vec<String>;

    fn read(reader: &JsonReader<'_>) -> Option<Vec<String>> {
        let tags = Array::<Tag, 0, 20>::read(reader)?;
        let mut seen = HashSet::new();
        for (index, tag) in tags.iter().enumerate() {
            if !seen.insert(tag.as_str()) {
                reader.note(&format!("/{index}"), "must be unique among the tags");
            }
        }
        (seen.len() == tags.len()).then_some(tags)
    }

    fn schema() -> RefOr<Schema> {
        Array::<Tag, 0, 20>::schema()
    }
}

struct Tag;

impl Rule for Tag {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        // One form, so that tags that look the same are the same.
        let tag: String = OneLine::<40>::read(reader)?.nfc().collect();
        // A few characters are longer in this form, so the length is checked again.
        match shared_model::text::check_line(&tag, 40) {
            Ok(()) => Some(tag),
            Err(rule) => reader.refuse(format!("{rule} (in normalization form C)")),
        }
    }

    fn schema() -> RefOr<Schema> {
        OneLine::<40>::schema()
    }
}
