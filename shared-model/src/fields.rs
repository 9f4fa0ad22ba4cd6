//! Rules as functions, for bodies that are not written with [`crate::json_object!`] yet.

pub use crate::rule::{MINOR_MAX, VERSION_MAX};
use crate::{
    json_reader::JsonReader,
    rule::{MinorUnits, Rule as _, Sku, VersionNumber},
    text,
    timestamp::Timestamp,
};

/// An instant from 1970 to 9999.
pub fn timestamp(reader: &JsonReader<'_>) -> Option<Timestamp> {
    Timestamp::read(reader)
}

/// An amount of money in minor units, not negative.
pub fn minor(reader: &JsonReader<'_>) -> Option<i64> {
    MinorUnits::read(reader)
}

/// The number of a version, from 1.
pub fn version(reader: &JsonReader<'_>) -> Option<i64> {
    VersionNumber::read(reader)
}

/// A stock keeping unit.
pub fn sku(reader: &JsonReader<'_>) -> Option<String> {
    Sku::read(reader)
}

/// `null`, or what `read` reads.
pub fn nullable<T>(reader: &JsonReader<'_>, read: impl FnOnce(&JsonReader<'_>) -> Option<T>) -> Option<Option<T>> {
    if reader.value().is_null() { Some(None) } else { read(reader).map(Some) }
}

/// Text of at most `max` bytes, on one line, with nothing in it that cannot be seen.
pub fn line(reader: &JsonReader<'_>, max: usize) -> Option<String> {
    let line = reader.str()?;
    match text::check_line(line, max) {
        Ok(()) => Some(line.to_owned()),
        Err(rule) => reader.refuse(rule),
    }
}

/// Whom a record belongs to: the `sub` of the tokens that may read it.
pub fn owner(reader: &JsonReader<'_>) -> Option<String> {
    line(reader, 255)
}

#[cfg(test)]
mod tests {
    use crate::json_reader::read_with;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_instant_that_could_not_be_written_again_is_refused() {
        assert!(read_with(&json!("2026-11-21T10:00:00+01:00"), timestamp).is_ok());
        for text in ["1969-12-31T23:59:59Z", "9999-12-31T23:59:59-01:00", "yesterday", ""] {
            assert!(read_with(&json!(text), timestamp).is_err(), "{text}");
        }
    }

    #[test]
    fn null_is_nothing_and_anything_else_is_read() {
        let read = |value| read_with(&value, |reader| nullable(reader, minor));
        assert_eq!(read(json!(null)), Ok(None));
        assert_eq!(read(json!(5)), Ok(Some(5)));
        assert!(read(json!(-1)).is_err());
    }
}
