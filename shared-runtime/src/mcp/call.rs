//! A call of a tool: calls its operations and fits the answer into one result.

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
    tool::{Execution, Tool},
};
use crate::http::{
    contract::Contract,
    operations::{CallResult, Operations},
};

// Each attempt asks for less in proportion, so a few are enough even for uneven pages.
const ATTEMPTS: usize = 6;
const QUESTION_NAME: &str = "confirm";

pub(super) enum CallOutcome {
    Response(Box<CallToolResponse>),
    UnknownTool,
    MissingScope(Box<Refusal>),
}

pub(super) async fn call(
    server: &McpServer,
    operations: &Operations,
    params: CallToolRequestParams,
    can_ask: bool,
) -> Result<CallOutcome, Failure> {
    let Some(tool) = server.tool(&params.name) else { return Ok(CallOutcome::UnknownTool) };
    // Before the arguments, so that the client asks for the scope instead of correcting arguments for nothing.
    if let Some(refusal) = operations.denies(tool.operations[0]) {
        return Ok(CallOutcome::MissingScope(refusal.into()));
    }
    let arguments = params.arguments.unwrap_or_default();
    let response: CallToolResponse = match tool.execution {
        Execution::OneOperation(_) => chosen(server, tool, operations, arguments).await?.into(),
        Execution::Steps(steps) => {
            let confirmation = params.request_state.map(|state| confirmation(state, params.input_responses));
            match steps(ToolCall { operations, arguments, confirmation, can_ask }).await? {
                Outcome::Finished(called) => result(server, tool, operations, called)?.into(),
                Outcome::Question(question) => asking(question).into(),
            }
        }
    };
    Ok(CallOutcome::Response(Box::new(response)))
}

/// Calls the operation that the tool chooses. A read is repeated with smaller pages until its answer fits.
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
    let contract = operations
        .contract(id)
        .ok_or_else(|| Failure::fault(format!("a tool chooses {id}, which is not an operation")))?;
    // Only reads are repeated with other arguments; a command runs once.
    let is_read = contract.method == Method::GET;
    if is_read {
        add_defaults(tool, contract, &mut arguments);
    }
    for _ in 0..ATTEMPTS {
        let called = call_operation(operations, id, arguments.clone()).await?;
        let CallResult::Answered(json) = &called else { return result(server, tool, operations, called) };
        let body: Value = serde_json::from_str(json)?;
        // Estimated first: writing a far too long body as text would take as much memory again.
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

fn result(
    server: &McpServer,
    tool: &Tool,
    operations: &Operations,
    called: CallResult,
) -> Result<CallToolResult, Failure> {
    Ok(match called {
        CallResult::Answered(json) => answer::shortened(&server.tools, tool, serde_json::from_str(&json)?),
        CallResult::Refused(body) => answer::refused(&server.tools, tool, operations, body)?,
    })
}

/// Adds the tool's defaults for missing arguments.
fn add_defaults(tool: &Tool, contract: &Contract, arguments: &mut Arguments) {
    for (name, value) in tool.defaults {
        let is_known = contract.query.iter().any(|parameter| parameter.name == *name);
        // The full view has no pages.
        let is_whole = *name == "max_bytes" && arguments.get("view").is_some_and(|view| view == "full");
        if is_known && !is_whole && !arguments.contains_key(*name) {
            arguments.insert((*name).to_owned(), (*value).into());
        }
    }
}

/// Reduces the page in proportion to the excess; false where that is not possible.
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
    // A tenth less than the proportion, because entries differ in length.
    let less = (asked.saturating_mul(RESULT_BYTES) / bytes * 9 / 10).min(asked.saturating_sub(1)).max(least);
    arguments.insert(name.to_owned(), less.into());
    less < asked
}

fn confirmation(state: String, responses: Option<InputResponses>) -> Confirmation {
    let action = responses.as_ref().and_then(|responses| responses.get(QUESTION_NAME)?.get("action")?.as_str());
    Confirmation { state, accepted: action == Some("accept") }
}

fn asking(question: Question) -> InputRequiredResult {
    let form = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question.message,
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    };
    let requests = [(QUESTION_NAME.to_owned(), InputRequest::Elicitation(ElicitRequest::new(form)))].into();
    InputRequiredResult::new(Some(requests), Some(question.state))
}
