//! `Range` headers (RFC 9110 §14).

use std::ops::Range;

/// The bytes that a `Range` header selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ByteRange {
    /// No range, several, another unit, or malformed: the RFC says to ignore those.
    Whole,
    Part(Range<u64>),
    /// A range that begins after the end.
    Unsatisfiable,
}

pub fn select(header: &str, bytes: u64) -> ByteRange {
    let Some((unit, range)) = header.split_once('=') else { return ByteRange::Whole };
    let Some((first, last)) = range.trim_matches([' ', '\t']).split_once('-') else { return ByteRange::Whole };
    if !unit.eq_ignore_ascii_case("bytes") {
        return ByteRange::Whole;
    }
    match (number(first), number(last)) {
        (Number::Absent, Number::Of(0)) => ByteRange::Unsatisfiable,
        // The last bytes of an empty whole are all of it, and Content-Range cannot name an empty range.
        (Number::Absent, Number::Of(_)) if bytes == 0 => ByteRange::Whole,
        (Number::Absent, Number::Of(suffix)) => ByteRange::Part(bytes.saturating_sub(suffix)..bytes),
        (Number::Of(_), Number::Of(_)) if is_less(last, first) => ByteRange::Whole,
        (Number::Of(first), Number::Of(_) | Number::Absent) if first >= bytes => ByteRange::Unsatisfiable,
        (Number::Of(first), Number::Absent) => ByteRange::Part(first..bytes),
        (Number::Of(first), Number::Of(last)) => ByteRange::Part(first..last.saturating_add(1).min(bytes)),
        (Number::Absent, Number::Absent) | (Number::None, _) | (_, Number::None) => ByteRange::Whole,
    }
}

enum Number {
    Absent,
    Of(u64),
    None,
}

// Of the digits, because both numbers may be larger than any that fits.
fn is_less(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|digits| digits.trim_start_matches('0'));
    (one.len(), one) < (other.len(), other)
}

/// Numbers that do not fit into 64 bits are beyond the end of any whole.
fn number(text: &str) -> Number {
    if text.is_empty() {
        return Number::Absent;
    }
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Number::None;
    }
    Number::Of(text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_range_of_bytes_is_served_as_the_rfc_says() {
        for (header, selected) in [
            ("bytes=0-0", ByteRange::Part(0..1)),
            ("bytes=0-499", ByteRange::Part(0..500)),
            ("bytes=500-", ByteRange::Part(500..1000)),
            ("bytes=-500", ByteRange::Part(500..1000)),
            ("bytes=-5000", ByteRange::Part(0..1000)),
            ("bytes=999-5000", ByteRange::Part(999..1000)),
            ("bytes=5-99999999999999999999999", ByteRange::Part(5..1000)),
            ("Bytes= 0-1 ", ByteRange::Part(0..2)),
            ("bytes=1000-", ByteRange::Unsatisfiable),
            ("bytes=1000-2000", ByteRange::Unsatisfiable),
            ("bytes=99999999999999999999999-", ByteRange::Unsatisfiable),
            ("bytes=-0", ByteRange::Unsatisfiable),
        ] {
            assert_eq!(select(header, 1000), selected, "{header}");
        }
        assert_eq!(select("bytes=-1", 0), ByteRange::Whole);
        assert_eq!(select("bytes=0-", 0), ByteRange::Unsatisfiable);
    }

    #[test]
    fn other_than_one_range_of_bytes_is_ignored() {
        for header in [
            "",
            "bytes",
            "bytes=",
            "bytes=-",
            "bytes=5-2",
            "bytes=99999999999999999999999-88888888888888888888888",
            "bytes=0100-2",
            "bytes=0-1,5-6",
            "bytes=0-1,",
            "items=0-1",
            "bytes 0-1",
            "bytes=a-b",
            "bytes=+1-2",
            "bytes=1--2",
            "bytes=--1",
            "bytes=0x1-2",
            "bytes=٠-١",
            "bytes=1 - 2",
        ] {
            assert_eq!(select(header, 1000), ByteRange::Whole, "{header}");
        }
    }

    proptest! {
        #[test]
        fn a_selected_range_is_within_the_whole_and_never_empty(header in "bytes=[0-9]{0,4}-[0-9]{0,4}", bytes in 0..2000_u64) {
            if let ByteRange::Part(range) = select(&header, bytes) {
                prop_assert!(range.start < range.end && range.end <= bytes, "{header} of {bytes}: {range:?}");
            }
        }

        #[test]
        fn arbitrary_text_never_panics(header in "\\PC{0,40}", bytes in any::<u64>()) {
            select(&header, bytes);
        }
    }
}
