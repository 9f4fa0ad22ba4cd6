//! Reads the answers of operations.

use serde::de::DeserializeOwned;
use serde_json::Value;
use shared_model::Failure;

pub fn member<T: DeserializeOwned>(mut answer: Value, name: &str) -> Result<T, Failure> {
    Ok(serde_json::from_value(answer[name].take())?)
}
