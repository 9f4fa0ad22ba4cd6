//! A call of a tool: the operation that it comes to, and its answer within the size of one result.

use std::collections::BTreeMap;

use actix_web::http::Method;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ElicitRequest, ElicitRequestParams, ElicitationSchema,
    InputRequest, InputRequiredResult, InputResponses,
};
use serde_json::Value;
use shared_model::{Failure, Refusal};

use super::{
    answer::{self, RESULT_BYTES},
    arguments::{self, Arguments},
    server::McpServer,
    steps::{Confirmation, Outcome, Question, ToolCall, call_operation},
    tool::{Tool, Way},
};
use crate::http::{
    contract::Contract,
    operations::{Called, Operations},
};

/// How often a page is read again with fewer entries or bytes, until it fits.
const ATTEMPTS: usize = 6;
/// Under what name a tool asks its caller back.
const QUESTION: &str = "confirm";

/// How a call ends.
pub(super) enum Ended {
    Response(Box<CallToolResponse>),
    /// There is no such tool.
    Unknown,
    /// The caller lacks a scope.
    Denied(Box<Refusal>),
}

/// Carries a call out.
pub(super) async fn call(
    server: &McpServer,
    operations: &Operations,
    params: CallToolRequestParams,
    can_ask: bool,
) -> Result<Ended, Failure> {
    let Some(tool) = server.tool(&params.name) else { return Ok(Ended::Unknown) };
    if let Some(refusal) = operations.denies(tool.operations[0]) {
        return Ok(Ended::Denied(refusal.into()));
    }
    let arguments = params.arguments.unwrap_or_default();
    let response: CallToolResponse = match tool.way {
        Way::Chosen(_) => chosen(server, tool, operations, arguments).await?.into(),
        Way::Steps(steps) => {
            let confirmation = params.request_state.map(|state| confirmation(state, params.input_responses));
            match steps(ToolCall { operations, arguments, confirmation, can_ask }).await? {
                Outcome::Came(called) => result(server, tool, operations, called)?.into(),
                Outcome::Asks(question) => asking(question).into(),
            }
        }
    };
    Ok(Ended::Response(Box::new(response)))
}

/// Calls the operation that the tool chooses; a read again, until its answer fits.
async fn chosen(
    server: &McpServer,
    tool: &Tool,
    operations: &Operations,
    mut arguments: Arguments,
) -> Result<CallToolResult, Failure> {
    let id = match tool.chosen_operation(&mut arguments) {
        Ok(id) => id,
        Err(problem) => {
            let called = operations.refuse(tool.operations[0], &arguments::refusal(vec![problem]))?;
            return result(server, tool, operations, called);
        }
    };
    let contract =
        operations.contract(id).ok_or_else(|| Failure::fault(format!("a tool chooses {id}, which is none")))?;
    let is_read = contract.method == Method::GET;
    if is_read {
        add_defaults(tool, contract, &mut arguments);
    }
    for _ in 0..ATTEMPTS {
        let called = call_operation(operations, id, arguments.clone()).await?;
        let Called::Answered(json) = &called else { return result(server, tool, operations, called) };
        let body: Value = serde_json::from_str(json)?;
        // What is far too long is not written as text before that is known: it stands there twice, as structure and as text.
        let mut bytes = json.len() * 2;
        if json.len() <= RESULT_BYTES {
            let answered = answer::done(&server.tools, tool, &body, &[]);
            bytes = answer::length(&answered);
            if bytes <= RESULT_BYTES {
                return Ok(answered);
            }
        }
        if !is_read || !lessen(contract, &mut arguments, bytes) {
            return Ok(answer::shortened(&server.tools, tool, body));
        }
    }
    let called = call_operation(operations, id, arguments).await?;
    result(server, tool, operations, called)
}

fn result(server: &McpServer, tool: &Tool, operations: &Operations, called: Called) -> Result<CallToolResult, Failure> {
    Ok(match called {
        Called::Answered(json) => answer::shortened(&server.tools, tool, serde_json::from_str(&json)?),
        Called::Refused(body) => answer::refused(&server.tools, tool, operations, body)?,
    })
}

/// Adds what the tool asks for unless it is told otherwise.
fn add_defaults(tool: &Tool, contract: &Contract, arguments: &mut Arguments) {
    for (name, value) in tool.defaults {
        let is_known = contract.query.iter().any(|parameter| parameter.name == *name);
        // What is whole has no pages.
        let is_whole = *name == "max_bytes" && arguments.get("view").is_some_and(|view| view == "full");
        if is_known && !is_whole && !arguments.contains_key(*name) {
            arguments.insert((*name).to_owned(), (*value).into());
        }
    }
}

/// Asks for less in proportion to how much too long the answer was; false where that is not possible.
fn lessen(contract: &Contract, arguments: &mut Arguments, bytes: usize) -> bool {
    let takes = |name: &str| contract.query.iter().any(|parameter| parameter.name == name);
    let is_whole = !arguments.contains_key("max_bytes");
    let (name, least) = match () {
        () if takes("max_bytes") && !is_whole => ("max_bytes", 256),
        () if takes("limit") => ("limit", 1),
        () => return false,
    };
    let asked = arguments.get(name).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let asked: usize = asked.and_then(|text| text.parse().ok()).unwrap_or(20);
    let less = (asked.saturating_mul(RESULT_BYTES) / bytes * 9 / 10).min(asked.saturating_sub(1)).max(least);
    arguments.insert(name.to_owned(), less.into());
    less < asked
}

/// What the caller answers to the question with this state.
fn confirmation(state: String, responses: Option<InputResponses>) -> Confirmation {
    let action = responses.as_ref().and_then(|responses| responses.get(QUESTION)?.get("action")?.as_str());
    Confirmation { state, accepted: action == Some("accept") }
}

fn asking(question: Question) -> InputRequiredResult {
    let form = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question.message,
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    };
    let requests = [(QUESTION.to_owned(), InputRequest::Elicitation(ElicitRequest::new(form)))].into();
    InputRequiredResult::new(Some(requests), Some(question.state))
}
