//! A computed value as clients read it.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use utoipa::ToSchema;

use super::{number_text::text_of, value::Value};

shared_model::text_enum! {
    /// The type of a computed value.
    pub enum ComputedType {
        Number = "number",
        Text = "text",
        Boolean = "boolean",
        Empty = "empty",
        Error = "error",
    }
}

/// What a cell's text or formula is as a value. It is computed for this answer and never stored in the content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"type": "number", "value": 1150}))]
pub struct Computed {
    #[serde(rename = "type")]
    pub kind: ComputedType,
    /// A number, a text (untrusted), a boolean or an error such as `#DIV/0!`. Absent for an empty cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Json>,
}

impl From<&Value> for Computed {
    fn from(value: &Value) -> Self {
        let (kind, value) = match value {
            Value::Empty => (ComputedType::Empty, None),
            Value::Blank => (ComputedType::Number, Some(json!(0))),
            Value::Number(number) => (ComputedType::Number, Some(json_number(*number))),
            Value::Boolean(boolean) => (ComputedType::Boolean, Some(json!(boolean))),
            Value::Text(text) => (ComputedType::Text, Some(json!(&**text))),
            Value::Error(error) => (ComputedType::Error, Some(json!(error.as_str()))),
        };
        Self { kind, value }
    }
}

// `1150` and not `1150.0`, as people write integers.
fn json_number(number: f64) -> Json {
    const EXACT: f64 = 9_007_199_254_740_991.0;
    if number.trunc() == number && number.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "compared with the largest exact integer")]
        let integer = number as i64;
        return json!(integer);
    }
    json!(number)
}

impl Value {
    /// The value as a person reads it.
    pub fn shown(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Blank => "0".to_owned(),
            Self::Number(number) => text_of(*number),
            Self::Boolean(true) => "TRUE".to_owned(),
            Self::Boolean(false) => "FALSE".to_owned(),
            Self::Text(text) => text.to_string(),
            Self::Error(error) => error.as_str().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_has_no_point_and_an_empty_cell_no_value() {
        for (value, expected) in [
            (Value::Number(1150.0), json!({"type": "number", "value": 1150})),
            (Value::Number(-0.5), json!({"type": "number", "value": -0.5})),
            (Value::Blank, json!({"type": "number", "value": 0})),
            (Value::Boolean(true), json!({"type": "boolean", "value": true})),
            (Value::Empty, json!({"type": "empty"})),
        ] {
            assert_eq!(serde_json::to_value(Computed::from(&value)).expect("JSON"), expected);
        }
    }
}
