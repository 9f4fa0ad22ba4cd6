//! A call of a tool as its steps see it: its arguments, the operations, and what they may ask the caller.

use actix_web::web;
use shared_model::{Failure, Problem, Refusal};

use super::arguments::{self, Arguments, spread};
use crate::http::{
    argument::Parameters,
    operations::{Called, Operations, Sent},
};

/// A call of a tool that takes several steps.
pub struct ToolCall<'c> {
    /// The operations.
    pub operations: &'c Operations,
    /// The arguments.
    pub arguments: Arguments,
    /// What the caller says to an earlier question.
    pub confirmation: Option<Confirmation>,
    /// Whether the caller can be asked.
    pub can_ask: bool,
}

/// What the caller says to a question.
pub struct Confirmation {
    /// The state of the question, as the caller sends it: to be checked.
    pub state: String,
    /// Whether it is yes.
    pub accepted: bool,
}

/// What comes of a tool's steps.
pub enum Outcome {
    /// What came of the step that decides.
    Came(Called),
    /// A question to the caller first.
    Asks(Question),
}

/// A question to the person behind the caller, to be answered with yes or no.
pub struct Question {
    /// The question.
    pub message: String,
    /// Comes back with the answer; nobody else can make it.
    pub state: String,
}

impl ToolCall<'_> {
    /// Calls an operation with these arguments.
    pub async fn call(&self, id: &str, arguments: Arguments) -> Result<Called, Failure> {
        call_operation(self.operations, id, arguments).await
    }

    /// Sends bytes to an operation, to what its path names.
    pub async fn send(&self, id: &str, path: Vec<String>, bytes: Vec<u8>) -> Result<Called, Failure> {
        let said = Parameters { path, ..Parameters::default() };
        self.operations.call(id, &said, Sent::Bytes(web::Bytes::from(bytes))).await
    }

    /// A refusal of an argument, as that of this operation.
    pub fn refuse(&self, id: &str, at: &str, rule: &str) -> Result<Outcome, Failure> {
        let problem = Problem { at: format!("/{at}"), rule: rule.to_owned() };
        self.operations.refuse(id, &arguments::refusal(vec![problem])).map(Outcome::Came)
    }

    /// A refusal with a code of this operation.
    pub fn refused(&self, id: &str, refusal: &Refusal) -> Result<Outcome, Failure> {
        self.operations.refuse(id, refusal).map(Outcome::Came)
    }
}

/// Calls an operation with the arguments that a tool made of it has.
pub async fn call_operation(operations: &Operations, id: &str, arguments: Arguments) -> Result<Called, Failure> {
    let contract =
        operations.contract(id).ok_or_else(|| Failure::fault(format!("a tool calls {id}, which is none")))?;
    match spread(contract, arguments) {
        Ok((said, sent)) => operations.call(id, &said, sent).await,
        Err(problems) => operations.refuse(id, &arguments::refusal(problems)),
    }
}
