//! The next actions that a service answers its refusals with, beside those that its OpenAPI document shows.

use serde_json::Value;
use shared_runtime::http::contract::Contract;

use crate::{response::Response, stage::Stage};

/// The OpenAPI document of a service.
pub(crate) struct NextActions(Value);

impl NextActions {
    pub(crate) fn of(stage: &Stage) -> Self {
        Self(serde_json::from_str(&stage.service().openapi()).expect("the document is JSON"))
    }

    /// Insists that the document shows this refusal of the operation: status, code and type of next action.
    #[track_caller]
    pub(crate) fn show(&self, operation: &Contract, response: &Response) {
        let method = operation.method.as_str().to_ascii_lowercase();
        let answers = &self.0["paths"][operation.path][method]["responses"];
        let content = &answers[response.status.to_string()]["content"]["application/json"];
        let named = |error: &Value| (error["code"].clone(), error["next_action"]["type"].clone());
        let shown = content["examples"].as_object().into_iter().flatten();
        let mut shown = shown.map(|(_, example)| named(&example["value"]["error"]));
        let answered = named(&response["error"]);
        assert!(shown.any(|one| one == answered), "{}: the document does not show {response}", operation.id);
    }
}
