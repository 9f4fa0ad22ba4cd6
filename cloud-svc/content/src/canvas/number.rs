//! Numbers that may have a fraction.

use serde::{Deserialize, Serialize, Serializer};
use shared_model::{JsonReader, rule::Rule};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

/// A JSON number, kept exactly.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Number(f64);

impl Number {
    pub fn value(self) -> f64 {
        self.0
    }
}

impl From<i8> for Number {
    fn from(whole: i8) -> Self {
        Self(whole.into())
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        // `12` and `12.0` are written alike: equal content must have one canonical text and one SHA-256.
        let whole = self.0 as i64;
        if whole as f64 == self.0 { out.serialize_i64(whole) } else { out.serialize_f64(self.0) }
    }
}

pub struct NumberFrom<const MIN: i16, const MAX: i16>;

impl<const MIN: i16, const MAX: i16> Rule for NumberFrom<MIN, MAX> {
    type Value = Number;

    fn read(reader: &JsonReader<'_>) -> Option<Number> {
        reader.number(MIN.into()..=MAX.into()).map(Number)
    }

    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Number);
        number.minimum(Some(f64::from(MIN))).maximum(Some(f64::from(MAX))).into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Number;

    #[test]
    fn equal_numbers_are_written_alike() {
        for (sent, written) in [("12", "12"), ("12.0", "12"), ("1.2e1", "12"), ("-0.0", "0"), ("0.1", "0.1")] {
            let number: Number = serde_json::from_str(sent).expect("a number");
            assert_eq!(serde_json::to_string(&number).expect("JSON"), written);
        }
    }

    proptest! {
        #[test]
        fn a_number_keeps_its_value(value in -180f64..180.0) {
            let written = serde_json::to_string(&Number(value)).expect("JSON");
            let read = serde_json::from_str::<Number>(&written).expect("a number");
            prop_assert_eq!((read, read.value()), (Number(value), value));
        }
    }
}
