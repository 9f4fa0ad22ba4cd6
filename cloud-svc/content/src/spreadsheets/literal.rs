//! What the text of a cell is, if it is not a formula.

/// The number that a cell holds: `-1.5e3`.
// Neither `1,200` nor `12%` nor a date: where they are numbers depends on a language, and `literal` has none.
pub fn number(text: &str) -> Option<f64> {
    // Rust also parses `inf` and `NaN`.
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    if is_decimal { text.parse().ok().filter(|number: &f64| number.is_finite()) } else { None }
}

/// `TRUE` or `FALSE`.
// In another letter case they stay text: an export and an import would turn them into uppercase.
pub fn boolean(text: &str) -> Option<bool> {
    match text {
        "TRUE" => Some(true),
        "FALSE" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_decimal_numbers_are_numbers_and_nothing_else_is() {
        for (text, is) in
            [("12", 12.0), ("-1.5", -1.5), ("+3", 3.0), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("007", 7.0)]
        {
            assert_eq!(number(text), Some(is), "{text:?}");
        }
        for text in
            ["", " 5", "5 ", "1,200", "12%", "2026-11-24", "1e400", "inf", "NaN", "0x10", "--5", "5-", "٣", "e", "."]
        {
            assert_eq!(number(text), None, "{text:?}");
        }
        assert_eq!(["TRUE", "FALSE", "true", "TRUE "].map(boolean), [Some(true), Some(false), None, None]);
    }
}
