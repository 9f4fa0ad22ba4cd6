//! Tools that take several steps: their arguments, the operations, and questions to the caller.

use actix_web::web;
use rmcp::model::InputResponses;
use shared_model::{ErrorBody, Failure, Problem, Refusal};

use super::arguments::{self, Arguments, spread};
use crate::http::{
    argument::{CallOrigin, VirtualRequest},
    operations::{CallBody, CallResult, Operations},
};

pub struct ToolCall<'c> {
    pub tool: &'static str,
    pub operations: &'c Operations,
    pub arguments: Arguments,
    /// The answer to an earlier question.
    pub confirmation: Option<Confirmation>,
    /// How the client can ask its user.
    pub asking: Asking,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    Impossible,
    /// A question in the client, which the user answers there.
    InClient,
    /// The client opens a page, where the user decides.
    OnPage,
}

/// The answers to the questions of one round.
pub struct Confirmation {
    /// The state of the question, which the same caller got from the same tool.
    pub state: String,
    pub(super) responses: InputResponses,
}

impl Confirmation {
    /// The answer to the question of this name.
    pub fn answer(&self, name: &str) -> PersonsAnswer {
        match self.responses.get(name).and_then(|response| response.get("action")?.as_str()) {
            Some("accept") => PersonsAnswer::Accepted,
            Some("decline") => PersonsAnswer::Declined,
            _ => PersonsAnswer::Cancelled,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonsAnswer {
    /// Agreed; to a page: has opened it.
    Accepted,
    Declined,
    /// Closed the question, or gave no answer.
    Cancelled,
}

pub enum Outcome {
    /// The result of the decisive operation.
    Finished(CallResult),
    /// The user must answer first.
    Question(Question),
}

/// A yes-or-no question for the person behind the caller.
pub struct Question {
    /// The answer comes under this name.
    pub name: &'static str,
    pub message: String,
    /// The page about it.
    pub url: String,
    /// Comes back with the answer: say what the person was asked about. It is sealed on its way.
    pub state: String,
}

impl ToolCall<'_> {
    pub async fn call(&self, id: &str, arguments: Arguments) -> Result<CallResult, Failure> {
        call_operation(self.operations, id, arguments).await
    }

    /// The same call, after the user has agreed to it.
    pub async fn call_confirmed(&self, id: &str, arguments: Arguments) -> Result<CallResult, Failure> {
        call_from(CallOrigin::ConfirmedMcp, self.operations, id, arguments).await
    }

    /// Sends bytes to an operation with these path parameters.
    pub async fn send(&self, id: &str, path: Vec<String>, bytes: Vec<u8>) -> Result<CallResult, Failure> {
        let request = VirtualRequest { path, ..VirtualRequest::default() };
        self.operations.call(id, &request, CallBody::Bytes(web::Bytes::from(bytes))).await
    }

    /// The bytes that an operation with these path parameters answers with. The caller bounds how many there are.
    pub async fn bytes(&self, id: &str, path: Vec<String>) -> Result<Result<Vec<u8>, ErrorBody>, Failure> {
        let request = VirtualRequest { path, ..VirtualRequest::default() };
        let reply = match self.operations.reply(id, &request, CallBody::Nothing).await? {
            Ok(reply) => reply,
            Err(refused) => return Ok(Err(refused)),
        };
        Ok(Ok(reply.into_bytes().await?))
    }

    /// Refuses an argument, as the operation would.
    pub fn refuse(&self, id: &str, at: &str, rule: &str) -> Result<Outcome, Failure> {
        self.refused_argument(id, at, rule).map(Outcome::Finished)
    }

    pub fn refused_argument(&self, id: &str, at: &str, rule: &str) -> Result<CallResult, Failure> {
        let problem = Problem { at: format!("/{at}"), rule: rule.to_owned() };
        self.operations.refuse(id, &arguments::refusal(vec![problem]))
    }

    /// Refuses with a code of the operation.
    pub fn refused(&self, id: &str, refusal: &Refusal) -> Result<Outcome, Failure> {
        self.operations.refuse(id, refusal).map(Outcome::Finished)
    }
}

/// Calls an operation with a tool's arguments.
pub async fn call_operation(operations: &Operations, id: &str, arguments: Arguments) -> Result<CallResult, Failure> {
    call_from(CallOrigin::Mcp, operations, id, arguments).await
}

async fn call_from(
    origin: CallOrigin,
    operations: &Operations,
    id: &str,
    arguments: Arguments,
) -> Result<CallResult, Failure> {
    let contract = operations
        .contract(id)
        .ok_or_else(|| Failure::fault(format!("a tool calls {id}, which is not an operation")))?;
    match spread(contract, arguments) {
        Ok((request, body)) => operations.call(id, &VirtualRequest { origin, ..request }, body).await,
        Err(problems) => operations.refuse(id, &arguments::refusal(problems)),
    }
}
