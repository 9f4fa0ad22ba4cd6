//! The next action of a refusal: in an answer, and as an example in the OpenAPI document.

use std::mem;

use serde_json::Value;
use shared_model::{Code, NextAction, Problem, Refusal, code, limits, refusal::NextStep};
use utoipa::openapi::{RefOr, Schema};

use super::contract::{BodyPolicy, Contract};
use crate::identity::challenge;

pub(super) const ETAG: &str = "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"";

/// The next action of an answer; `contract` is `None` where no route matches. A debug build panics when there is
/// none, or one of a type that the document does not show.
pub(super) fn answered(contract: Option<&Contract>, refusal: &Refusal, base_url: &str) -> NextAction {
    let has_key = contract.is_some_and(|contract| contract.takes_key);
    let by_path = || contract.filter(|_| refusal.code.next == NextStep::CorrectPath).and_then(correct_path);
    let listed = || match refusal.code.next {
        // Only the edge knows the URL of a list that has no parameters.
        NextStep::Refresh(path) if path.starts_with('/') && !path.contains('{') => {
            Some(NextAction::Refresh { href: format!("{base_url}{path}"), etag: None })
        }
        _ => None,
    };
    let action = refusal.next_action(has_key).or_else(by_path).or_else(listed);
    debug_assert!(action.is_some(), "{} has no next action", refusal.code.name);
    let action = action.unwrap_or(NextAction::ContactSupport);
    if let Some(contract) = contract {
        let same = |shown: &NextAction| mem::discriminant(shown) == mem::discriminant(&action);
        debug_assert!(
            documented(contract, refusal.code, "").iter().any(same),
            "{} does not document {action:?} for {}",
            contract.id,
            refusal.code.name
        );
    }
    action
}

/// An example of each type of next action that the operation can give for this code.
pub(super) fn documented(contract: &Contract, code: &Code, base_url: &str) -> Vec<NextAction> {
    let further = contract.further_steps.iter().filter(|(of, _)| *of == code).map(|(_, step)| *step);
    [code.next].into_iter().chain(further).filter_map(|step| example(contract, code, step, base_url)).collect()
}

fn example(contract: &Contract, code: &Code, step: NextStep, base_url: &str) -> Option<NextAction> {
    let href = |path: &str| format!("{base_url}{path}");
    match step {
        NextStep::CorrectOne(at @ "Content-Type", _) if matches!(contract.body, BodyPolicy::Bytes { .. }) => {
            Some(correct(vec![Problem { at: at.to_owned(), rule: "must be application/octet-stream".to_owned() }]))
        }
        NextStep::Correct => Some(correct(vec![problem(contract, code)])),
        NextStep::CorrectPath => correct_path(contract),
        NextStep::Authenticate => Some(NextAction::Authenticate { resource_metadata: href(challenge::METADATA_PATH) }),
        NextStep::RequestScope => Some(NextAction::RequestScope { scope: contract.required()?.scope.to_owned() }),
        NextStep::UseMethod => {
            Some(NextAction::UseMethod { methods: vec![contract.method.to_string()], problems: Vec::new() })
        }
        NextStep::Refresh("") => Some(NextAction::Refresh { href: href(contract.path), etag: Some(ETAG.to_owned()) }),
        NextStep::Refresh(path) => Some(NextAction::Refresh { href: href(path), etag: None }),
        NextStep::Poll(path, after_seconds) => Some(NextAction::Poll { href: href(path), after_seconds }),
        NextStep::Rebase(path) => Some(NextAction::Rebase { href: href(path), etag: Some(ETAG.to_owned()) }),
        NextStep::SendChunk(path) => Some(NextAction::SendChunk { index: 0, href: href(path) }),
        NextStep::RequestReview(path) => Some(NextAction::RequestReview { href: href(path) }),
        NextStep::UseReceipt(path) => Some(NextAction::UseReceipt { href: href(path), receipt: None }),
        step => step.action(contract.takes_key),
    }
}

/// An example of a problem with a request.
fn problem(contract: &Contract, code: &Code) -> Problem {
    let is_field = code == contract.surface.invalid_field;
    let (at, rule) = if *code == code::BODY_TOO_LARGE {
        ("", too_large(contract.body_bytes() as u64))
    } else if matches!(contract.body, BodyPolicy::Bytes { .. }) {
        ("", if is_field { "must have the length of the chunk".to_owned() } else { CUT_OFF.to_owned() })
    } else if contract.body_schema.is_some() {
        if is_field {
            ("/no_such_member", "is not a member of this object".to_owned())
        } else {
            ("", "must be one JSON object".to_owned())
        }
    } else if let Some(parameter) = contract.query.first() {
        let is_limit = is_field && parameter.name == "limit";
        (parameter.name, if is_limit { whole_number(1, limits::LIST_MAX) } else { "must be sent once".to_owned() })
    } else {
        ("", CUT_OFF.to_owned())
    };
    Problem { at: at.to_owned(), rule }
}

pub(super) const CUT_OFF: &str = "ended early, or its chunked coding is malformed";

pub(super) fn whole_number(min: i64, max: i64) -> String {
    format!("must be a whole number from {min} to {max}")
}

pub(super) fn too_large(max: u64) -> String {
    format!("must be at most {max} bytes")
}

/// Names all path parameters. The answer must not tell whether an id is malformed, unknown, or somebody else's.
fn correct_path(contract: &Contract) -> Option<NextAction> {
    let parameters = contract.path_names().zip(&contract.path_parameters);
    let problems = parameters.map(|(name, schema)| {
        let like = example_of(schema).map_or(String::new(), |example| format!(", like {example}"));
        Problem { at: name.to_owned(), rule: format!("must name something that you can see{like}") }
    });
    let problems: Vec<_> = problems.collect();
    (!problems.is_empty()).then(|| correct(problems))
}

fn example_of(schema: &RefOr<Schema>) -> Option<&str> {
    match schema {
        RefOr::T(Schema::Object(object)) => object.examples.first().and_then(Value::as_str),
        _ => None,
    }
}

fn correct(problems: Vec<Problem>) -> NextAction {
    NextAction::CorrectRequest { problems }
}
