//! The value that the text of a cell stands for in a spreadsheet program.

use super::number::zeros_of;
use crate::spreadsheets::{formula::is_formula, literal};

#[derive(Debug, PartialEq)]
pub enum Value {
    Empty,
    Formula,
    Boolean(bool),
    /// With the number format that shows it as it is written; `None` for the general one.
    Number {
        number: f64,
        format: Option<String>,
    },
    Text,
}

// Programs keep 15 digits of a number. A text with more would lose the others.
const DIGITS: usize = 15;

pub fn value(text: &str) -> Value {
    if text.is_empty() {
        return Value::Empty;
    }
    if is_formula(text) {
        return Value::Formula;
    }
    match (literal::boolean(text), literal::number(text)) {
        (Some(boolean), _) => Value::Boolean(boolean),
        (None, Some(number)) if significant_digits(text) <= DIGITS => Value::Number { number, format: zeros_of(text) },
        _ => Value::Text,
    }
}

fn significant_digits(number: &str) -> usize {
    let digits = number.split(['e', 'E']).next().unwrap_or(number).trim_matches(|c| matches!(c, '+' | '-'));
    // Zeros at the end are not digits that could be lost: `1.500` and `1500`.
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').trim_end_matches('0').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_and_booleans_have_values_and_the_rest_is_text() {
        let number = |number: f64, format: Option<&str>| Value::Number { number, format: format.map(str::to_owned) };
        for (text, expected) in [
            ("", Value::Empty),
            ("=A1", Value::Formula),
            ("TRUE", Value::Boolean(true)),
            ("FALSE", Value::Boolean(false)),
            ("true", Value::Text),
            ("1200", number(1200.0, None)),
            ("-0.5", number(-0.5, None)),
            ("1.50", number(1.5, Some("0.00"))),
            ("-007", number(-7.0, Some("000"))),
            ("+5", number(5.0, None)),
            ("1e3", number(1000.0, None)),
            ("123456789012345", number(123_456_789_012_345.0, None)),
            ("1234567890123456", Value::Text),
            ("0.1234567890123456", Value::Text),
            ("1e999", Value::Text),
            ("1,200", Value::Text),
            ("50%", Value::Text),
            (" 1", Value::Text),
            ("2026-11-22", Value::Text),
            ("'=1", Value::Text),
            ("１", Value::Text),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }
}
