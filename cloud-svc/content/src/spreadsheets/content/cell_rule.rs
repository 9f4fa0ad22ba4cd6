//! Validation rules of cells.

// A broken rule is a warning and no refusal: `set_validation` does not judge the text that is already in the cells.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_model::{
    FromJson, JsonReader,
    openapi_schema::ObjectSchema,
    rule::{Array, Rule, Text},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{OneOfBuilder, RefOr, Schema},
};

use crate::spreadsheets::{formula::is_formula, literal};

/// The texts that a cell should have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum CellRule {
    Number,
    List { values: Vec<String> },
}

/// How many texts a list may have.
pub const VALUES: usize = 20;
/// How many bytes each text may have.
pub const VALUE_BYTES: usize = 1000;

type Values = Array<Text<VALUE_BYTES>, 1, VALUES>;

impl CellRule {
    /// The message for a text that breaks the rule.
    pub fn broken_by(&self, text: &str) -> Option<&'static str> {
        // A formula has no value here, and an empty cell is not filled in yet: both keep every rule.
        let is_kept = text.is_empty()
            || is_formula(text)
            || match self {
                Self::Number => literal::number(text).is_some(),
                Self::List { values } => values.iter().any(|value| value == text),
            };
        match self {
            _ if is_kept => None,
            Self::Number => Some("must be a number"),
            Self::List { .. } => Some("must be one of the listed values"),
        }
    }
}

impl FromJson for CellRule {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        match reader.value().get("type").and_then(Value::as_str) {
            Some("number") => reader.object(|object| {
                object.required("type", |_| Some(()))?;
                Some(Self::Number)
            }),
            Some("list") => reader.object(|object| {
                object.required("type", |_| Some(()))?;
                Some(Self::List { values: object.required("values", Values::read)? })
            }),
            _ => reader.refuse("must have as \"type\" one of: number, list"),
        }
    }
}

impl PartialSchema for CellRule {
    fn schema() -> RefOr<Schema> {
        let number = ObjectSchema::new(&["A number."]).tag("type", "number");
        let list = ObjectSchema::new(&["One of these texts."]).tag("type", "list");
        let list = list.required::<Values>("values", &["The texts."]);
        let schema = |object: ObjectSchema| RefOr::<Schema>::from(object);
        OneOfBuilder::new()
            .description(Some("The texts that a cell should have."))
            .item(schema(number))
            .item(schema(list))
            .into()
    }
}

impl ToSchema for CellRule {}

#[cfg(test)]
mod tests {
    use super::CellRule;

    #[test]
    fn numbers_are_plain_decimal_ones() {
        for text in ["1", "-1", "+1.5", ".5", "1e3", "1E-3", "007", "", "=A1"] {
            assert_eq!(CellRule::Number.broken_by(text), None, "{text}");
        }
        for text in [" 1", "1 ", "1,5", "1 000", "£1", "50%", "one", "inf", "NaN", "infinity", "0x1", "１", "-", "."]
        {
            assert_eq!(CellRule::Number.broken_by(text), Some("must be a number"), "{text}");
        }
    }

    #[test]
    fn listed_texts_are_compared_to_the_letter() {
        let list = CellRule::List { values: vec!["Yes".to_owned(), "No".to_owned()] };
        assert_eq!(list.broken_by("Yes"), None);
        assert_eq!(list.broken_by("yes"), Some("must be one of the listed values"));
    }
}
