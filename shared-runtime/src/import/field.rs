//! Fields that imported records share.

use shared_model::{Moment, Node, text};

/// The largest integer that every JSON reader keeps exact (RFC 8259 §6); more money than that is a mistake.
pub const MINOR_MAX: i64 = 9_007_199_254_740_991;

/// The last version of anything, for the same reason.
pub const VERSION_MAX: i64 = MINOR_MAX;

/// An instant from 1970 to 9999.
pub fn moment(node: &Node<'_>) -> Option<Moment> {
    let moment = Moment::parse(node.str()?);
    moment.or_else(|| node.refuse("must be an RFC 3339 timestamp from 1970 to 9999"))
}

/// An amount of money in minor units, not negative.
pub fn minor(node: &Node<'_>) -> Option<i64> {
    node.integer(0..=MINOR_MAX)
}

/// The number of a version, from 1.
pub fn version(node: &Node<'_>) -> Option<i64> {
    node.integer(1..=VERSION_MAX)
}

/// `null`, or what `read` reads.
pub fn nullable<T>(node: &Node<'_>, read: impl FnOnce(&Node<'_>) -> Option<T>) -> Option<Option<T>> {
    if node.value().is_null() { Some(None) } else { read(node).map(Some) }
}

/// Text of at most `max` bytes, on one line, with nothing in it that cannot be seen.
pub fn line(node: &Node<'_>, max: usize) -> Option<String> {
    let line = node.str()?;
    match text::check_line(line, max) {
        Ok(()) => Some(line.to_owned()),
        Err(rule) => node.refuse(rule),
    }
}

/// A stock keeping unit: 1 to 64 ASCII letters, digits, dots, dashes and underscores.
pub fn sku(node: &Node<'_>) -> Option<String> {
    let text = node.str()?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    if !(1..=64).contains(&text.len()) || !text.bytes().all(is_plain) {
        return node.refuse("must be 1 to 64 ASCII letters, digits, dots, dashes and underscores");
    }
    Some(text.to_owned())
}

/// Whom a record belongs to: the `sub` of the tokens that may read it.
pub fn owner(node: &Node<'_>) -> Option<String> {
    line(node, 255)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared_model::node::read_with;

    use super::*;

    #[test]
    fn an_instant_that_could_not_be_written_again_is_refused() {
        assert!(read_with(&json!("2026-11-21T10:00:00+01:00"), moment).is_ok());
        for text in ["1969-12-31T23:59:59Z", "9999-12-31T23:59:59-01:00", "yesterday", ""] {
            assert!(read_with(&json!(text), moment).is_err(), "{text}");
        }
    }

    #[test]
    fn null_is_nothing_and_anything_else_is_read() {
        let read = |value| read_with(&value, |node| nullable(node, minor));
        assert_eq!(read(json!(null)), Ok(None));
        assert_eq!(read(json!(5)), Ok(Some(5)));
        assert!(read(json!(-1)).is_err());
    }
}
