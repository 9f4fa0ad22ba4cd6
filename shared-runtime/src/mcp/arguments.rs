//! A tool's arguments, as the parts of a request for an operation.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};
use shared_model::{NextAction, Problem, Refusal, code};

use crate::http::{
    argument::Parameters,
    contract::{BodyPolicy, Contract},
    operations::Sent,
};

/// The arguments of a tool, or of an operation.
pub type Arguments = Map<String, Value>;

/// Headers that are arguments of tools, and what an agent is told of them.
pub(super) const HEADERS: &[(&str, &str, &str)] = &[
    (
        "Idempotency-Key",
        "idempotency_key",
        "Make ONE key per intended action and send the SAME key again if you retry that action; use a new key only for a \
         different action. 1 to 255 visible ASCII characters.",
    ),
    (
        "If-Match",
        "if_match",
        "The `etag` of what you change, as you have read it, with its quotation marks. If it has changed since, nothing \
         happens and the error says how to go on.",
    ),
];

/// The argument that a header is.
pub(super) fn argument_of(header: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(header)).map(|(_, argument, _)| *argument)
}

/// Spreads the arguments over the path, query, headers and body of a request; or what is wrong with them.
pub(super) fn spread(contract: &Contract, mut arguments: Arguments) -> Result<(Parameters, Sent), Vec<Problem>> {
    let mut problems = Vec::new();
    let mut path = Vec::new();
    for name in contract.path_names() {
        match arguments.remove(name) {
            Some(Value::String(value)) => path.push(value),
            Some(_) => problems.push(problem(name, "must be a string")),
            None => problems.push(problem(name, "must be there")),
        }
    }
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for parameter in &contract.query {
        match arguments.remove(parameter.name).map(|value| query_text(&value)) {
            Some(Some(text)) => {
                query.append_pair(parameter.name, &text);
            }
            Some(None) => problems.push(problem(parameter.name, "must be a string, a number or a list of strings")),
            None if parameter.required => problems.push(problem(parameter.name, "must be there")),
            None => {}
        }
    }
    let mut headers = HeaderMap::new();
    for header in &contract.headers {
        let Some(argument) = argument_of(header.name) else { continue };
        match arguments.remove(argument) {
            Some(Value::String(text)) => match HeaderValue::from_str(&text) {
                Ok(value) => headers.insert(HeaderName::from_static(lower(header.name)), value),
                Err(_) => {
                    problems.push(problem(argument, "must be visible ASCII characters"));
                    continue;
                }
            },
            Some(_) => {
                problems.push(problem(argument, "must be a string"));
                continue;
            }
            None if header.required => {
                problems.push(problem(argument, "must be there"));
                continue;
            }
            None => continue,
        };
    }
    let sent = match contract.body {
        BodyPolicy::Required | BodyPolicy::Optional => Sent::Json(Value::Object(arguments)),
        BodyPolicy::None | BodyPolicy::Bytes { .. } | BodyPolicy::Text => {
            problems.extend(arguments.keys().map(|name| problem(name, "is not an argument of this tool")));
            Sent::Nothing
        }
    };
    if problems.is_empty() {
        Ok((Parameters { path, query: query.finish(), headers, is_of_page: false }, sent))
    } else {
        Err(problems)
    }
}

fn lower(header: &'static str) -> &'static str {
    match header {
        "Idempotency-Key" => "idempotency-key",
        _ => "if-match",
    }
}

/// Text as it is, numbers in digits, a list with commas between its items.
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

fn problem(name: &str, rule: &str) -> Problem {
    Problem { at: format!("/{name}"), rule: rule.to_owned() }
}

/// A next action whose problems are at arguments: an operation speaks of headers and parameters by their names.
pub(super) fn at_arguments(action: NextAction) -> NextAction {
    let NextAction::CorrectRequest { problems } = action else { return action };
    let at_argument = |Problem { at, rule }| {
        let name = argument_of(&at).map_or(at.clone(), str::to_owned);
        let at = if name.is_empty() || name.starts_with('/') { name } else { format!("/{name}") };
        Problem { at, rule }
    };
    NextAction::CorrectRequest { problems: problems.into_iter().map(at_argument).collect() }
}

/// The refusal of arguments that are no request for any operation.
pub(super) fn refusal(problems: Vec<Problem>) -> Refusal {
    Refusal::problems(&code::INVALID_REQUEST, problems)
}
