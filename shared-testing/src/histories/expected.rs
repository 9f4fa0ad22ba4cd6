//! What a model expects as the answer to a command.

use serde_json::{Map, Value, json};

/// A success, some refusals, or both if the model does not know.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// A pattern of the body, with symbols for what the service decides.
    pub success: Option<Value>,
    /// Of a success, each of them possible.
    pub statuses: Vec<u16>,
    /// Codes of errors, each of them possible. A refused command changes nothing.
    pub refusals: Vec<&'static str>,
}

impl Expected {
    pub fn success(body: Value) -> Self {
        Self { success: Some(body), statuses: vec![200], refusals: Vec::new() }
    }

    pub fn refused(code: &'static str) -> Self {
        Self { success: None, statuses: vec![200], refusals: vec![code] }
    }

    /// The model does not know whether this refusal comes.
    pub fn or_refused(mut self, code: &'static str) -> Self {
        self.refusals.push(code);
        self
    }

    pub fn with_status(mut self, status: u16) -> Self {
        self.statuses = vec![status];
        self
    }

    pub fn or_status(mut self, status: u16) -> Self {
        self.statuses.push(status);
        self
    }

    pub fn is_success(&self) -> bool {
        self.success.is_some()
    }
}

impl From<Result<Value, Vec<&'static str>>> for Expected {
    fn from(result: Result<Value, Vec<&'static str>>) -> Self {
        match result {
            Ok(body) => Self::success(body),
            Err(refusals) => Self { success: None, statuses: vec![200], refusals },
        }
    }
}

/// What stays the same in the answer to a repeated command.
pub(crate) fn lasting(body: &Value) -> Value {
    let Value::Object(members) = body else { return body.clone() };
    let of_request = ["request_id", "replayed", "meta"];
    let kept = members.iter().filter(|(name, _)| !of_request.contains(&name.as_str()));
    Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>())
}

/// The answer to a repeated command, from what stays the same in it.
pub(crate) fn replayed(mut body: Value) -> Value {
    // Where the payload is in `data`, what is said about the answer is in `meta`.
    let place = if body["data"].is_null() { &mut body } else { &mut body["meta"] };
    if place.is_object() || place.is_null() {
        place["replayed"] = json!(true);
    }
    body
}
