//! Fields that imported records share.

use crate::{JsonReader, Timestamp, text};

/// The largest integer that every JSON reader keeps exact (RFC 8259 §6); more money than that is a mistake.
pub const MINOR_MAX: i64 = 9_007_199_254_740_991;

/// The last version of anything, for the same reason.
pub const VERSION_MAX: i64 = MINOR_MAX;

/// An instant from 1970 to 9999.
pub fn timestamp(reader: &JsonReader<'_>) -> Option<Timestamp> {
    let timestamp = Timestamp::parse(reader.str()?);
    timestamp.or_else(|| reader.refuse("must be an RFC 3339 timestamp from 1970 to 9999"))
}

/// An amount of money in minor units, not negative.
pub fn minor(reader: &JsonReader<'_>) -> Option<i64> {
    reader.integer(0..=MINOR_MAX)
}

/// The number of a version, from 1.
pub fn version(reader: &JsonReader<'_>) -> Option<i64> {
    reader.integer(1..=VERSION_MAX)
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

/// A stock keeping unit: 1 to 64 ASCII letters, digits, dots, dashes and underscores.
pub fn sku(reader: &JsonReader<'_>) -> Option<String> {
    let text = reader.str()?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    if !(1..=64).contains(&text.len()) || !text.bytes().all(is_plain) {
        return reader.refuse("must be 1 to 64 ASCII letters, digits, dots, dashes and underscores");
    }
    Some(text.to_owned())
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
