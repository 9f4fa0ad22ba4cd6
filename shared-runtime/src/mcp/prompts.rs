//! Prompts as the protocol shows them, and completion of their arguments.

use rmcp::{
    ErrorData,
    model::{
        self, CompleteRequestParams, CompleteResult, CompletionInfo, GetPromptRequestParams, GetPromptResult,
        PromptArgument, PromptMessage, Role,
    },
};
use serde_json::{Value, json};
use shared_model::Failure;

use super::{
    prompt::{Prompt, PromptParameter},
    tools::Tools,
};
use crate::http::operations::Operations;

// The value of an argument is a line of a person, and of a length that no prompt needs.
const VALUE_BYTES: usize = 1_000;

pub(super) fn listed(tools: &Tools) -> Vec<model::Prompt> {
    let argument = |parameter: &PromptParameter| {
        PromptArgument::new(parameter.name).with_description(parameter.description).with_required(true)
    };
    let prompt = |prompt: &Prompt| {
        let arguments = prompt.arguments.iter().map(argument).collect();
        model::Prompt::new(prompt.name, Some(prompt.description), Some(arguments)).with_title(prompt.title)
    };
    tools.prompts.iter().map(prompt).collect()
}

pub(super) fn get(prompts: &[Prompt], params: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let invalid = |message: String| ErrorData::invalid_params(message, Some(json!({"name": params.name})));
    let prompt = prompts.iter().find(|prompt| prompt.name == params.name);
    let prompt = prompt.ok_or_else(|| invalid(format!("Unknown prompt: {}", params.name)))?;
    let mut text = prompt.text.to_owned();
    for PromptParameter { name, .. } in prompt.arguments {
        let value = params.arguments.as_ref().and_then(|arguments| arguments.get(*name)).and_then(Value::as_str);
        let value = value.filter(|value| value.len() <= VALUE_BYTES);
        let value = value
            .ok_or_else(|| invalid(format!("The argument {name} must be a string of at most {VALUE_BYTES} bytes.")))?;
        text = text.replace(&format!("{{{name}}}"), value);
    }
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(prompt.description))
}

/// Completion is a help while somebody types: nothing that is unknown is an error.
pub(super) async fn complete(
    tools: &Tools,
    operations: &Operations,
    params: CompleteRequestParams,
) -> Result<CompleteResult, Failure> {
    let values = match tools.complete {
        Some(complete) => complete(operations, params.argument.name, params.argument.value).await?,
        None => Vec::new(),
    };
    let info = CompletionInfo::with_all_values(values).map_err(Failure::fault)?;
    Ok(CompleteResult::new(info))
}
