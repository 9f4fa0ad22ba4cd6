//! Checks refusals against those that the OpenAPI document declares.

use serde_json::Value;
use shared_runtime::http::{contract::Contract, openapi};

use crate::{response::Response, stage::Stage};

/// An OpenAPI document.
pub(crate) struct NextActions(Value);

impl NextActions {
    pub(crate) fn of(stage: &Stage) -> Self {
        Self(openapi::inlined(&stage.service().openapi()))
    }

    /// Fails unless the document declares this refusal: status, code and type of next action.
    #[track_caller]
    pub(crate) fn show(&self, operation: &Contract, response: &Response) {
        let method = operation.method.as_str().to_ascii_lowercase();
        let answers = &self.0["paths"][operation.path][method]["responses"];
        let content = &answers[response.status.to_string()]["content"]["application/json"];
        // The message and the other members depend on the request; these two do not.
        let named = |error: &Value| (error["code"].clone(), error["next_action"]["type"].clone());
        let shown = content["examples"].as_object().into_iter().flatten();
        let mut shown = shown.map(|(_, example)| named(&example["value"]["error"]));
        let answered = named(&response["error"]);
        assert!(shown.any(|one| one == answered), "{}: the document does not show {response}", operation.id);
    }
}
