//! Whatever the text, reading `Range` and `Content-Digest` does not panic, and what is selected is what the text says.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use shared_runtime::{
    ContentDigest,
    http::download::range::{ByteRange, select},
};

pub fn run(bytes: &[u8]) {
    let Some((size, rest)) = bytes.split_first_chunk() else { return };
    let text = crate::text::text(rest);
    // Small and large sizes, both often.
    let size = u64::from_be_bytes(*size);
    for size in [size, size % 1_000, 0] {
        assert_eq!(select(text, size), expected(text, size), "{text:?} of {size}");
    }
    if let Some(ContentDigest(Some(digest))) = ContentDigest::parse(text) {
        assert!(text.contains(&format!("sha-256=:{}:", BASE64_STANDARD.encode(digest))), "{text:?}");
    }
}

/// RFC 9110 §14.1.2, in numbers of any size.
fn expected(header: &str, size: u64) -> ByteRange {
    let part = |first: u128, end: u128| {
        let end = end.min(u128::from(size));
        match u64::try_from(first).ok().zip(u64::try_from(end).ok()) {
            Some((first, end)) if first < end => ByteRange::Part(first..end),
            _ => ByteRange::Unsatisfiable,
        }
    };
    // As the RFC says it, and not as our parser does.
    let Some((unit, spec)) = header.split_once('=') else { return ByteRange::Whole };
    let spec = spec.trim_matches([' ', '\t']);
    let numbers: Vec<&str> = spec.split('-').collect();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !unit.eq_ignore_ascii_case("bytes") || numbers.len() != 2 || !numbers.iter().all(|text| digits(text)) {
        return ByteRange::Whole;
    }
    // Numbers of more digits than any size has are all the same.
    let number = |text: &str| text.trim_start_matches('0').parse().unwrap_or(if is_zero(text) { 0 } else { u128::MAX });
    match (numbers[0], numbers[1]) {
        ("", "") => ByteRange::Whole,
        ("", last) if is_zero(last) => ByteRange::Unsatisfiable,
        ("", _) if size == 0 => ByteRange::Whole,
        ("", last) => part(u128::from(size).saturating_sub(number(last)), u128::from(size)),
        (first, "") => part(number(first), u128::from(size)),
        (first, last) if is_reversed(first, last) => ByteRange::Whole,
        (first, last) => part(number(first), number(last).saturating_add(1)),
    }
}

/// Compared with as many digits in both.
fn is_reversed(first: &str, last: &str) -> bool {
    let digits = first.len().max(last.len());
    format!("{last:0>digits$}") < format!("{first:0>digits$}")
}

fn is_zero(text: &str) -> bool {
    text.bytes().all(|byte| byte == b'0')
}
