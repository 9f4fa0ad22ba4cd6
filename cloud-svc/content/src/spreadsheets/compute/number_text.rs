//! Texts as numbers, and numbers as texts.

use crate::spreadsheets::literal;

/// The number that a text stands for in arithmetic: `12`, ` 1,200.50 `, `12%`, `TRUE`, `2026-11-24`.
// More than a cell's own text may be: a formula that adds to a text says that it means a number.
pub fn number_of(text: &str) -> Option<f64> {
    let text = text.trim_matches(' ');
    plain(text).or_else(|| boolean(text)).or_else(|| day(text))
}

fn boolean(text: &str) -> Option<f64> {
    // A formula that needs a number reads booleans in any letter case; a cell holds one only in uppercase.
    literal::boolean(&text.to_ascii_uppercase()).map(f64::from)
}

fn plain(text: &str) -> Option<f64> {
    let (sign, unsigned) = match text.as_bytes().first()? {
        b'-' => (-1.0, text[1..].trim_start_matches(' ')),
        b'+' => (1.0, text[1..].trim_start_matches(' ')),
        _ => (1.0, text),
    };
    let (digits, percent) = match unsigned.strip_suffix('%') {
        Some(digits) => (digits.trim_end_matches(' '), 0.01),
        None => (unsigned, 1.0),
    };
    let (whole, rest) = digits.split_at(digits.find(['.', 'e', 'E']).unwrap_or(digits.len()));
    let has_exponent = rest.contains(['e', 'E']);
    let begins_well = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if !begins_well || rest.contains(',') || (percent != 1.0 && has_exponent) || !is_grouped(whole) {
        return None;
    }
    let number: f64 = digits.replace(',', "").parse().ok()?;
    // Calc takes the largest number for a text that says more.
    let number = number.min(f64::MAX);
    // Divided and not multiplied: 12 times 0.01 is not 0.12.
    Some(sign * if percent == 1.0 { number } else { number / 100.0 })
}

/// `1234` or `1,234`.
fn is_grouped(whole: &str) -> bool {
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default().len();
    let mut is_alone = true;
    groups.all(|group| {
        is_alone = false;
        group.len() == 3
    }) && (is_alone || (1..=3).contains(&first))
}

/// Days since 1899-12-30 of a date such as 2026-11-24.
fn day(text: &str) -> Option<f64> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let number = |text: &str| text.parse::<i64>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let fits = (4..=5).contains(&year.len()) && (1..=2).contains(&month.len()) && (1..=2).contains(&day.len());
    if !fits || parts.next().is_some() {
        return None;
    }
    let (year, month, day) = (number(year)?, number(month)?, number(day)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    // From the first whole year of the calendar that everybody has, to the last one that Calc knows.
    if !(1583..=32767).contains(&year) || !(1..=days).contains(&day) {
        return None;
    }
    // Years begin in March here, so that the leap day is the last of a year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let since_zero = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    #[expect(clippy::cast_precision_loss, reason = "at most four million days")]
    let days = (since_zero - 693_900) as f64;
    Some(days)
}

/// A number as text, with at most 15 digits: `0.3`, `1E+016`.
pub fn text_of(number: f64) -> String {
    // Beyond these integers not every integer is a number.
    const EXACT: f64 = 9_007_199_254_740_991.0;
    if number.trunc() == number && number.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "compared with the largest exact integer")]
        let integer = number as i64;
        return integer.to_string();
    }
    let exponent = exponent_of(number);
    if (-14..15).contains(&exponent) {
        // Fifteen digits, but not more than twenty places.
        let places = (14 - exponent).min(20);
        // Half away from zero, where `format!` would round half to even.
        let is_half = (number.abs() * 10f64.powi(places)).fract() == 0.5;
        let number = if is_half { f64::from_bits(number.to_bits() + 1) } else { number };
        let places = usize::try_from(places).unwrap_or(0);
        let text = format!("{number:.places$}");
        return if text.contains('.') { without_zeros(&text).to_owned() } else { text };
    }
    let text = format!("{number:.14e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{}E{sign}{exponent:0>3}", without_zeros(digits))
}

fn without_zeros(digits: &str) -> &str {
    digits.trim_end_matches('0').trim_end_matches('.')
}

/// The decimal exponent, before any rounding.
fn exponent_of(number: f64) -> i32 {
    // The shortest digits that read back as this number, which `{:e}` writes, are exact about the exponent.
    let text = format!("{number:e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // As LibreOffice Calc 7.4 answered `="…"+0`.
    #[test]
    fn texts_are_numbers_as_in_calc() {
        for (text, number) in [
            ("12", 12.0),
            (" 5 ", 5.0),
            ("+5", 5.0),
            ("- 5", -5.0),
            ("1.", 1.0),
            (".5", 0.5),
            ("1e3", 1000.0),
            ("1.e3", 1000.0),
            ("1e-3", 0.001),
            ("1,200", 1200.0),
            ("-1,200.50", -1200.5),
            ("12,345,678", 12_345_678.0),
            ("1,200e2", 120_000.0),
            ("12%", 0.12),
            ("50 %", 0.5),
            ("1,000%", 10.0),
            ("-5%", -0.05),
            ("00012", 12.0),
            ("TRUE", 1.0),
            (" falsE ", 0.0),
            ("2026-11-24", 46350.0),
            ("2026-1-2", 46024.0),
            ("2024-02-29", 45351.0),
            ("2000-2-29", 36585.0),
            ("1899-12-30", 0.0),
            ("1800-01-01", -36522.0),
            ("9999-12-31", 2_958_465.0),
            ("1e400", f64::MAX),
        ] {
            assert_eq!(number_of(text), Some(number), "{text:?}");
        }
        for text in [
            "",
            " ",
            "abc",
            "1,5",
            "12,34",
            "1,2345",
            "1,23,456",
            ",5",
            "1.2,345",
            "%",
            "%5",
            "5%%",
            "1e5%",
            "1 2",
            ".",
            "-",
            ".e3",
            "1E",
            "--5",
            "-+5",
            "inf",
            "nan",
            "0x10",
            "٣",
            "１２",
            "'5",
            "5\t",
            "5\n",
            "1.2.3",
            "2026-02-30",
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "026-11-24",
            "2026-011-24",
            "2026-11-024",
            "2026-13-01",
            "0000-01-01",
            "1582-10-10",
            "2026-11",
            "2026-11-24-1",
            "2026/11/24",
        ] {
            assert_eq!(number_of(text), None, "{text:?}");
        }
    }

    // As LibreOffice Calc 7.4 answered `=…&""`.
    #[test]
    fn numbers_are_written_as_in_calc() {
        for (number, text) in [
            (0.0, "0"),
            (12.0, "12"),
            (-1.0 / 3.0, "-0.333333333333333"),
            (0.1 + 0.2, "0.3"),
            (434.999_999_999_999_94, "435"),
            (1e15, "1000000000000000"),
            (1e16, "1E+016"),
            (1e21, "1E+021"),
            (1.5e300, "1.5E+300"),
            (1e-14, "0.00000000000001"),
            (1e-15, "1E-015"),
            (2.380_205_663_543_59e-8, "0.00000002380205663544"),
            (-1.5e-20, "-1.5E-020"),
            (1.5e-100, "1.5E-100"),
            (1e-5, "0.00001"),
            (1.234_567_890_123e-5, "0.00001234567890123"),
            (123_456_789_012_345.6, "123456789012346"),
            (1_234_567_890_123_456.0, "1234567890123456"),
            (9_007_199_254_740_992.0, "9.00719925474099E+015"),
            (999_999_999_999_999.9, "1000000000000000"),
            (562_949_953_421_312.5, "562949953421313"),
            (10_000_000_000_000.5, "10000000000000.5"),
            (99_999_999_999_999.95, "100000000000000"),
            (1e100, "1E+100"),
        ] {
            assert_eq!(text_of(number), text);
        }
    }
}
