//! A call of a tool: calls its operations and fits the answer into one result.

use std::collections::BTreeMap;

use actix_web::http::Method;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ElicitRequest, ElicitRequestParams, ElicitationSchema,
    InputRequest, InputRequiredResult,
};
use serde_json::Value;
use shared_model::{Error, Failure, Refusal};

use super::{
    answer::{self, Answering, RESULT_BYTES},
    arguments::{self, Arguments, IDEMPOTENCY_KEY},
    derived_key,
    request_state::{self, Opened},
    server::McpServer,
    steps::{Asking, Confirmation, Outcome, Question, ToolCall, call_operation},
    tool::{Execution, Tool},
};
use crate::http::{
    contract::Contract,
    operations::{CallResult, Operations},
};

// Each attempt asks for less in proportion, so a few are enough even for uneven pages.
const ATTEMPTS: usize = 6;
// A body is this many times as long as the text of it at most.
const LONGEST_BODY: usize = 4;

/// What the client can do, and wants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub asking: Asking,
    /// Whether results have the body as structured content.
    pub is_structured: bool,
}

pub(super) enum CallOutcome {
    Response(Box<CallToolResponse>),
    UnknownTool,
    /// The client returned a state that this server did not give to it.
    ForgedState,
    MissingScope(Box<Refusal>),
}

pub(super) async fn call(
    server: &McpServer,
    operations: &Operations,
    params: CallToolRequestParams,
    mode: Mode,
) -> Result<CallOutcome, Error> {
    let Some(tool) = server.tool(&params.name) else { return Ok(CallOutcome::UnknownTool) };
    // Before the arguments, so that the client asks for the scope instead of correcting arguments for nothing.
    if let Some(refusal) = operations.denies(tool.operations[0]) {
        return Ok(CallOutcome::MissingScope(refusal.into()));
    }
    let mut arguments = params.arguments.unwrap_or_default();
    // Some clients make models fill in every argument, and a model without a value sends these.
    let is_filler = |value: &Value| value.is_null() || value == "";
    arguments.retain(|name, value| tool.requires(name) || !tool.takes(name) || !is_filler(value));
    let sent = arguments.clone();
    let answering =
        Answering { tools: &server.tools, tool, operations, arguments: &sent, is_structured: mode.is_structured };
    let misfits = tool.misfits(operations, &arguments);
    if !misfits.is_empty() {
        let refused = operations.refuse(tool.operations[0], &arguments::refusal(misfits))?;
        return Ok(CallOutcome::Response(Box::new(result(&answering, refused).await?.into())));
    }
    if tool.takes(IDEMPOTENCY_KEY) && !arguments.contains_key(IDEMPOTENCY_KEY) {
        let key = derived_key::of_call(operations, tool, &arguments).await?;
        arguments.insert(IDEMPOTENCY_KEY.to_owned(), key.into());
    }
    let response: CallToolResponse = match tool.execution {
        Execution::OneOperation(_) => chosen(&answering, arguments).await?.into(),
        Execution::Steps(steps) => {
            let confirmation = match params.request_state.map(|sealed| request_state::open(operations, tool, &sealed)) {
                None | Some(Opened::Expired) => None,
                Some(Opened::State(state)) => {
                    Some(Confirmation { state, responses: params.input_responses.unwrap_or_default() })
                }
                Some(Opened::Forged) => return Ok(CallOutcome::ForgedState),
            };
            match steps(ToolCall { tool: tool.name, operations, arguments, confirmation, asking: mode.asking }).await? {
                Outcome::Finished(called) => result(&answering, called).await?.into(),
                Outcome::Question(question) => {
                    let state = request_state::seal(operations, tool, &question.state);
                    question_to_client(question, state, mode.asking).into()
                }
            }
        }
    };
    Ok(CallOutcome::Response(Box::new(response)))
}

/// Calls the operation that the tool chooses. A read is repeated with smaller pages until its answer fits.
async fn chosen(answering: &Answering<'_>, mut arguments: Arguments) -> Result<CallToolResult, Error> {
    let Answering { tool, operations, .. } = *answering;
    let id = match tool.chosen_operation(&mut arguments) {
        Ok(id) => id,
        Err(problem) => {
            let called = operations.refuse(tool.operations[0], &arguments::refusal(vec![problem]))?;
            return result(answering, called).await;
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
        let CallResult::Answered(json) = &called else {
            return result(answering, called).await;
        };
        let body = known(answering, json).await?;
        // Estimated first: writing a far too long body would take as much memory again.
        let mut bytes = json.len() * 2;
        if json.len() <= RESULT_BYTES * LONGEST_BODY {
            let answered = answering.done(&body, &[]);
            bytes = answer::length(&answered);
            if bytes <= RESULT_BYTES {
                return Ok(answered);
            }
        }
        if !is_read || !lessen(contract, &mut arguments, bytes) {
            return Ok(answering.shortened(body));
        }
    }
    let called = call_operation(operations, id, arguments).await?;
    result(answering, called).await
}

async fn result(answering: &Answering<'_>, called: CallResult) -> Result<CallToolResult, Error> {
    Ok(match called {
        CallResult::Answered(json) => answering.shortened(known(answering, &json).await?),
        CallResult::Refused(body) => answering.refused(body)?,
    })
}

/// A body, with what only its text says.
async fn known(answering: &Answering<'_>, json: &str) -> Result<Value, Error> {
    let mut body = serde_json::from_str(json)?;
    if let Some(knows) = answering.tool.knows
        && let Err(error) = knows(answering.operations, &mut body).await
    {
        // The operation is done. Its answer must not be lost for a hint.
        tracing::warn!(%error, tool = answering.tool.name, "what a text adds to an answer could not be read");
    }
    Ok(body)
}

/// Adds the tool's defaults for missing arguments.
fn add_defaults(tool: &Tool, contract: &Contract, arguments: &mut Arguments) {
    for (name, value) in tool.defaults {
        if takes(contract, name) && !arguments.contains_key(*name) {
            arguments.insert((*name).to_owned(), (*value).into());
        }
    }
}

fn takes(contract: &Contract, name: &str) -> bool {
    contract.query.iter().any(|parameter| parameter.name == name)
}

/// Reduces the page in proportion to the excess; false where that is not possible.
fn lessen(contract: &Contract, arguments: &mut Arguments, bytes: usize) -> bool {
    if !takes(contract, "limit") {
        return false;
    }
    let asked = arguments.get("limit").map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let asked: usize = asked.and_then(|text| text.parse().ok()).unwrap_or(20);
    // A tenth less than the proportion, because entries differ in length.
    let less = (asked.saturating_mul(RESULT_BYTES) / bytes * 9 / 10).min(asked.saturating_sub(1)).max(1);
    arguments.insert("limit".to_owned(), less.into());
    less < asked
}

fn question_to_client(question: Question, state: String, asking: Asking) -> InputRequiredResult {
    let Question { name, message, url, .. } = question;
    let params = if asking == Asking::OnPage {
        ElicitRequestParams::UrlElicitationParams { meta: None, message, url, elicitation_id: String::new() }
    } else {
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: format!("{message}\n{url}"),
            requested_schema: ElicitationSchema::new(BTreeMap::new()),
        }
    };
    let requests = [(name.to_owned(), InputRequest::Elicitation(ElicitRequest::new(params)))].into();
    InputRequiredResult::new(Some(requests), Some(state))
}
