//! The numbers that an event may contain.

use serde_json::Value;
use shared_model::JsonReader;
use trust_log::canonical::MAX_INTEGER;

/// Refuses every number outside ±(2^53 - 1), each at its place.
pub fn check_numbers(reader: &JsonReader<'_>) -> Option<()> {
    match reader.value() {
        Value::Number(number) => {
            // RFC 8785 writes numbers as doubles. Beyond 2^53 - 1 a double cannot tell an integer from the next one
            // (RFC 7493 §2.2). So two such events could have the same hash.
            let is_exact = match number.as_i64() {
                Some(integer) => (-MAX_INTEGER..=MAX_INTEGER).contains(&integer),
                None => number.as_f64().is_some_and(|double| double.abs() <= MAX_INTEGER as f64),
            };
            if is_exact { Some(()) } else { reader.refuse("must be a number from -(2^53 - 1) to 2^53 - 1") }
        }
        Value::Array(_) => reader.array(0..=usize::MAX, check_numbers).map(|_| ()),
        Value::Object(_) => reader.entries(usize::MAX, |_, member| check_numbers(member)).map(|_| ()),
        Value::Null | Value::Bool(_) | Value::String(_) => Some(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared_model::json_reader::read_with;

    use super::*;

    #[test]
    fn a_number_that_two_readers_could_read_differently_is_refused_at_its_place() {
        let value = json!({
            "ok": [9_007_199_254_740_991_i64, -9_007_199_254_740_991_i64, 0.1, 1.5e-300, -0.0],
            "a": [1, {"b": 9_007_199_254_740_992_u64}], "c": -9_007_199_254_740_993_i64, "d": u64::MAX, "e": 1e21,
        });
        let problems = read_with(&value, check_numbers).expect_err("four numbers");
        let places: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
        assert_eq!(places, ["/a/1/b", "/c", "/d", "/e"]);
    }
}
