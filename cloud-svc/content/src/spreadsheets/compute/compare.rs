//! The order of values.

use std::cmp::Ordering;

use icu_collator::{Collator, CollatorBorrowed, options::CollatorOptions};

use super::{
    arithmetic::nearly_equal,
    value::{CellError, Value},
};

thread_local! {
    // The order of languages without rules of their own, which English is. Case makes a difference.
    static ORDER: Option<CollatorBorrowed<'static>> = Collator::try_new(Default::default(), CollatorOptions::default()).ok();
}

/// What a value is in a comparison.
enum Kind<'a> {
    Nothing,
    Number(f64),
    Text(&'a str),
}

/// Numbers stand before texts. An empty cell equals 0 and the empty text.
pub fn compare(one: &Value, other: &Value) -> Result<Ordering, CellError> {
    use Kind as K;
    Ok(match (kind(one)?, kind(other)?) {
        (K::Nothing, K::Nothing) => Ordering::Equal,
        (K::Nothing, K::Number(other)) => numbers(0.0, other),
        (K::Number(one), K::Nothing) => numbers(one, 0.0),
        (K::Nothing, K::Text(other)) => "".cmp(other),
        (K::Text(one), K::Nothing) => one.cmp(""),
        (K::Number(one), K::Number(other)) => numbers(one, other),
        (K::Number(_), K::Text(_)) => Ordering::Less,
        (K::Text(_), K::Number(_)) => Ordering::Greater,
        (K::Text(one), K::Text(other)) => texts(one, other),
    })
}

fn kind(value: &Value) -> Result<Kind<'_>, CellError> {
    Ok(match value {
        Value::Empty | Value::Blank => Kind::Nothing,
        Value::Number(number) => Kind::Number(*number),
        Value::Boolean(boolean) => Kind::Number(f64::from(*boolean)),
        Value::Text(text) => Kind::Text(text),
        Value::Error(error) => return Err(*error),
    })
}

fn numbers(one: f64, other: f64) -> Ordering {
    if nearly_equal(one, other) { Ordering::Equal } else { one.total_cmp(&other) }
}

fn texts(one: &str, other: &str) -> Ordering {
    if one == other {
        return Ordering::Equal;
    }
    ORDER.with(|order| order.as_ref().map_or_else(|| one.cmp(other), |order| order.compare(one, other)))
}
