//! Arguments of tools, as parts of a request for an operation.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue, IF_MATCH};
use serde_json::{Map, Value};
use shared_model::{ErrorDetail, NextAction, Problem, Refusal, code};

use crate::http::{
    argument::{CallOrigin, VirtualRequest},
    contract::{BodyPolicy, Contract},
    operations::CallBody,
};

pub type Arguments = Map<String, Value>;

pub(super) const IDEMPOTENCY_KEY: &str = "idempotency_key";
pub(super) const IF_MATCH_ARGUMENT: &str = "if_match";

static HEADERS: [(HeaderName, &str); 2] =
    [(HeaderName::from_static("idempotency-key"), IDEMPOTENCY_KEY), (IF_MATCH, IF_MATCH_ARGUMENT)];

/// The header and the argument for it; `None`: tools do not take the header.
pub(super) fn header_argument(header: &str) -> Option<(&'static HeaderName, &'static str)> {
    let known = HEADERS.iter().find(|(name, _)| name.as_str().eq_ignore_ascii_case(header));
    known.map(|(name, argument)| (name, *argument))
}

/// Distributes the arguments over path, query, headers and body; or all problems with them.
pub(super) fn spread(
    contract: &Contract,
    mut arguments: Arguments,
) -> Result<(VirtualRequest, CallBody), Vec<Problem>> {
    let mut problems = Vec::new();
    let mut path = Vec::new();
    for name in contract.path_names() {
        match arguments.remove(name) {
            Some(Value::String(value)) => path.push(value),
            Some(_) => problems.push(problem(name, "must be a string")),
            None => problems.push(problem(name, "is required")),
        }
    }
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for parameter in &contract.query {
        match arguments.remove(parameter.name).map(|value| query_text(&value)) {
            Some(Some(text)) => {
                query.append_pair(parameter.name, &text);
            }
            Some(None) => problems.push(problem(parameter.name, "must be a string, a number or a list of strings")),
            None if parameter.required => problems.push(problem(parameter.name, "is required")),
            None => {}
        }
    }
    let mut headers = HeaderMap::new();
    for header in &contract.headers {
        let Some((name, argument)) = header_argument(header.name) else { continue };
        match arguments.remove(argument) {
            Some(Value::String(text)) => match HeaderValue::from_str(&text) {
                Ok(value) => _ = headers.insert(name.clone(), value),
                Err(_) => problems.push(problem(argument, "must be visible ASCII characters")),
            },
            Some(_) => problems.push(problem(argument, "must be a string")),
            None if header.required => problems.push(problem(argument, "is required")),
            None => {}
        }
    }
    // Whatever is left belongs to the body, whose reader reports unknown members with all other problems.
    let body = match contract.body {
        BodyPolicy::Required | BodyPolicy::Optional => CallBody::Json(Value::Object(arguments)),
        BodyPolicy::None | BodyPolicy::Bytes { .. } | BodyPolicy::Text => {
            problems.extend(arguments.keys().map(|name| problem(name, "is not an argument of this tool")));
            CallBody::Nothing
        }
    };
    if problems.is_empty() {
        Ok((VirtualRequest { path, query: query.finish(), headers, origin: CallOrigin::Mcp }, body))
    } else {
        Err(problems)
    }
}

/// Text as it is, numbers in digits, lists with commas.
fn query_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Array(items) => {
            let texts: Option<Vec<_>> = items.iter().map(Value::as_str).collect();
            texts.map(|texts| texts.join(","))
        }
        Value::Null | Value::Object(_) => None,
    }
}

pub(super) fn problem(name: &str, rule: &str) -> Problem {
    Problem { at: format!("/{name}"), rule: rule.to_owned() }
}

/// Names arguments where an operation's refusal names headers and parameters.
pub(super) fn name_arguments(error: &mut ErrorDetail) {
    let NextAction::CorrectRequest { problems } = &mut error.next_action else { return };
    for (index, problem) in problems.iter_mut().enumerate() {
        if let Some((_, argument)) = header_argument(&problem.at) {
            // The message is the first problem.
            if index == 0 {
                error.message = error.message.replacen(&problem.at, argument, 1);
            }
            problem.at = argument.to_owned();
        }
        if !problem.at.is_empty() && !problem.at.starts_with('/') {
            problem.at.insert(0, '/');
        }
    }
    if problems.first().is_some_and(|problem| problem.at.is_empty()) {
        error.message = error.message.replacen("The body ", "The call ", 1);
    }
}

pub(super) fn refusal(problems: Vec<Problem>) -> Refusal {
    Refusal::problems(&code::INVALID_REQUEST, problems)
}
