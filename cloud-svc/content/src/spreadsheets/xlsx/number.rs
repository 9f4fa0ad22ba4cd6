//! Numbers as programs show them.

// What programs allow in one format.
const PLACES: usize = 30;

/// The number without a format: at most 15 digits, and no exponent.
pub fn general(number: f64) -> String {
    // 0.1 + 0.2 has more digits.
    let shown: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    // `+ 0.0` turns -0 into 0.
    (shown + 0.0).to_string()
}

/// The format of zeros that shows a number as it is written here: `000.00` for `007.50`. `None` if the general format
/// does, or if no such format can.
pub fn zeros_of(text: &str) -> Option<String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    let are_digits = |digits: &str| (1..=PLACES).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if !are_digits(whole)
        || !fraction.is_none_or(are_digits)
        || text.parse().is_ok_and(|number| general(number) == text)
    {
        return None;
    }
    let is_padded = whole.len() > 1 && whole.starts_with('0');
    let whole = "0".repeat(if is_padded { whole.len() } else { 1 });
    Some(match fraction {
        Some(fraction) => format!("{whole}.{}", "0".repeat(fraction.len())),
        None => whole,
    })
}

/// The number in a format that has only zeros. `None` for another format, and if the format hides digits.
pub fn in_zeros(number: f64, format: &str) -> Option<String> {
    let (whole, places) = format.split_once('.').map_or((format, 0), |(whole, rest)| (whole, rest.len()));
    let are_zeros = !format.is_empty() && format.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let is_format = are_zeros && (1..=PLACES).contains(&whole.len()) && places <= PLACES;
    if !is_format || format.matches('.').count() != usize::from(places > 0) {
        return None;
    }
    // The digits of the general format: the others of the number are noise.
    let shown = general(number.abs());
    let (digits, fraction) = shown.split_once('.').unwrap_or((&shown, ""));
    if fraction.len() > places {
        return None;
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let digits = format!("{sign}{digits:0>width$}", width = whole.len());
    Some(if places > 0 { format!("{digits}.{fraction:0<places$}") } else { digits })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formats_of_zeros_keep_how_a_number_is_written() {
        for (text, format) in [
            ("1", None),
            ("1.5", None),
            ("1.50", Some("0.00")),
            ("007", Some("000")),
            ("0.50", Some("0.00")),
            ("-12.00", Some("0.00")),
            ("-012.0", Some("000.0")),
            (".5", None),
            ("5.", None),
            ("+5", None),
            ("1e3", None),
        ] {
            assert_eq!(zeros_of(text).as_deref(), format, "{text}");
        }
        for (number, format) in [(1.5, "General"), (1.5, "0"), (1.239, "0.00"), (1.0, ""), (1.0, "0."), (1.0, "0.0.0")]
        {
            assert_eq!(in_zeros(number, format), None, "{number} {format}");
        }
        assert_eq!(in_zeros(0.1 + 0.2, "0.00").as_deref(), Some("0.30"));
        assert_eq!(in_zeros(550_000_000_000.43, "0.0000").as_deref(), Some("550000000000.4300"));
    }

    proptest! {
        #[test]
        fn a_number_in_its_format_is_the_text(text in "-?[0-9]{1,12}(\\.[0-9]{1,3}0{0,6})?") {
            let number: f64 = text.parse().expect("a number");
            let shown = zeros_of(&text).map_or(Some(general(number)), |format| in_zeros(number, &format));
            let expected = if number == 0.0 { text.trim_start_matches('-') } else { &text };
            prop_assert_eq!(shown.as_deref(), Some(expected));
        }
    }
}
