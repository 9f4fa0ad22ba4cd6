//! What operations answer, read as what a page shows of it.

use serde::de::DeserializeOwned;
use serde_json::Value;
use shared_model::Failure;

/// A member of an answer.
pub fn member<T: DeserializeOwned>(mut answer: Value, name: &str) -> Result<T, Failure> {
    Ok(serde_json::from_value(answer[name].take())?)
}
