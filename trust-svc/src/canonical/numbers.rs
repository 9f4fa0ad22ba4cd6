//! Which numbers are exact everywhere.

use serde_json::Value;
use shared_model::JsonReader;

/// The largest integer that every JSON implementation reads alike (RFC 7493 §2.2).
pub const MAX_INTEGER: i64 = (1 << 53) - 1;

/// Refuses every number that two implementations could read differently, and so hash differently: RFC 8785 writes
/// numbers as IEEE doubles do, and beyond 2^53 - 1 these cannot tell an integer from its neighbours (RFC 7493 §2.2).
pub fn check_numbers(reader: &JsonReader<'_>) -> Option<()> {
    match reader.value() {
        Value::Number(number) => {
            let is_exact = match number.as_i64() {
                Some(integer) => (-MAX_INTEGER..=MAX_INTEGER).contains(&integer),
                // What is neither an i64 nor a u64 was parsed as a double.
                None => number.as_f64().is_some_and(|double| double.abs() <= MAX_INTEGER as f64),
            };
            if is_exact { Some(()) } else { reader.refuse("must be a number from -(2^53 - 1) to 2^53 - 1") }
        }
        Value::Array(_) => reader.array(0..=usize::MAX, check_numbers).map(|_| ()),
        Value::Object(_) => reader.entries(usize::MAX, |_, member| check_numbers(member)).map(|_| ()),
        Value::Null | Value::Bool(_) | Value::String(_) => Some(()),
    }
}
