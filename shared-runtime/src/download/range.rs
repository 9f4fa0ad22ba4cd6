//! Which bytes of a whole are wanted (RFC 9110 §14).

use std::ops::Range;

/// What a `Range` header comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selected {
    /// Everything: no range, several, of another unit, or malformed, which the RFC has us ignore.
    Whole,
    /// These bytes.
    Part(Range<u64>),
    /// A range that begins after the end.
    Unsatisfiable,
}

/// Reads the value of a `Range` header against a whole of so many bytes.
pub fn select(header: &str, bytes: u64) -> Selected {
    let Some((unit, range)) = header.split_once('=') else { return Selected::Whole };
    let Some((first, last)) = range.trim_matches([' ', '\t']).split_once('-') else { return Selected::Whole };
    if !unit.eq_ignore_ascii_case("bytes") {
        return Selected::Whole;
    }
    match (number(first), number(last)) {
        (Number::Absent, Number::Of(0)) => Selected::Unsatisfiable,
        // Of nothing, the last bytes are all that there are, and Content-Range cannot name them.
        (Number::Absent, Number::Of(_)) if bytes == 0 => Selected::Whole,
        (Number::Absent, Number::Of(suffix)) => Selected::Part(bytes.saturating_sub(suffix)..bytes),
        (Number::Of(first), Number::Of(last)) if last < first => Selected::Whole,
        (Number::Of(first), Number::Of(_) | Number::Absent) if first >= bytes => Selected::Unsatisfiable,
        (Number::Of(first), Number::Absent) => Selected::Part(first..bytes),
        (Number::Of(first), Number::Of(last)) => Selected::Part(first..last.saturating_add(1).min(bytes)),
        (Number::Absent, Number::Absent) | (Number::None, _) | (_, Number::None) => Selected::Whole,
    }
}

enum Number {
    Absent,
    Of(u64),
    None,
}

/// Digits; more than fit are as good as the greatest that do.
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
            ("bytes=0-0", Selected::Part(0..1)),
            ("bytes=0-499", Selected::Part(0..500)),
            ("bytes=500-", Selected::Part(500..1000)),
            ("bytes=-500", Selected::Part(500..1000)),
            ("bytes=-5000", Selected::Part(0..1000)),
            ("bytes=999-5000", Selected::Part(999..1000)),
            ("bytes=5-99999999999999999999999", Selected::Part(5..1000)),
            ("Bytes= 0-1 ", Selected::Part(0..2)),
            ("bytes=1000-", Selected::Unsatisfiable),
            ("bytes=1000-2000", Selected::Unsatisfiable),
            ("bytes=99999999999999999999999-", Selected::Unsatisfiable),
            ("bytes=-0", Selected::Unsatisfiable),
        ] {
            assert_eq!(select(header, 1000), selected, "{header}");
        }
        assert_eq!(select("bytes=-1", 0), Selected::Whole);
        assert_eq!(select("bytes=0-", 0), Selected::Unsatisfiable);
    }

    #[test]
    fn what_is_no_single_range_of_bytes_is_ignored() {
        for header in [
            "",
            "bytes",
            "bytes=",
            "bytes=-",
            "bytes=5-2",
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
            assert_eq!(select(header, 1000), Selected::Whole, "{header}");
        }
    }

    proptest! {
        #[test]
        fn what_is_selected_lies_within_and_is_never_empty(header in "bytes=[0-9]{0,4}-[0-9]{0,4}", bytes in 0..2000_u64) {
            if let Selected::Part(range) = select(&header, bytes) {
                prop_assert!(range.start < range.end && range.end <= bytes, "{header} of {bytes}: {range:?}");
            }
        }

        #[test]
        fn arbitrary_text_never_panics(header in "\\PC{0,40}", bytes in any::<u64>()) {
            select(&header, bytes);
        }
    }
}
