//! A tool: its operations, and its description for agents.

use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use shared_model::{Failure, Problem};

use super::{
    arguments::Arguments,
    steps::{Outcome, ToolCall},
};

/// A tool. Its arguments are those of its operations: path and query parameters, `if_match`, `idempotency_key`, and
/// the members of their bodies.
pub struct Tool {
    /// Never changes: agents and their prompts know it.
    pub name: &'static str,
    pub title: &'static str,
    /// For models, which choose among tools by it.
    pub description: &'static str,
    /// What it may change.
    pub effect: Effect,
    /// All need the same scope; callers without it do not see the tool.
    pub operations: &'static [&'static str],
    pub execution: Execution,
    /// Arguments of the tool itself, and those of its operations with another schema.
    pub extra: Vec<ExtraArgument>,
    /// Arguments of its operations that it does not have.
    pub hidden: &'static [&'static str],
    /// Values of missing arguments, for reads.
    pub defaults: &'static [(&'static str, &'static str)],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// Adds, and takes nothing away.
    Adds,
    /// Replaces or removes.
    Replaces,
}

pub enum Execution {
    /// The function chooses one operation, and removes the tool's own arguments.
    OneOperation(fn(&mut Arguments) -> Result<&'static str, Problem>),
    /// Several operations, one after the other.
    Steps(for<'c> fn(ToolCall<'c>) -> LocalBoxFuture<'c, Result<Outcome, Failure>>),
}

pub struct ExtraArgument {
    pub name: &'static str,
    /// Its JSON schema.
    pub schema: Value,
    pub required: bool,
}

impl Tool {
    pub fn new(name: &'static str, effect: Effect, operations: &'static [&'static str]) -> Self {
        Self {
            name,
            title: "",
            description: "",
            effect,
            operations,
            execution: Execution::OneOperation(|_| Ok("")),
            extra: Vec::new(),
            hidden: &[],
            defaults: &[],
        }
    }

    pub fn describe(mut self, title: &'static str, description: &'static str) -> Self {
        (self.title, self.description) = (title, description);
        self
    }

    pub fn choosing(mut self, choose: fn(&mut Arguments) -> Result<&'static str, Problem>) -> Self {
        self.execution = Execution::OneOperation(choose);
        self
    }

    pub fn steps(mut self, steps: for<'c> fn(ToolCall<'c>) -> LocalBoxFuture<'c, Result<Outcome, Failure>>) -> Self {
        self.execution = Execution::Steps(steps);
        self
    }

    pub fn extra(mut self, name: &'static str, required: bool, schema: Value) -> Self {
        self.extra.push(ExtraArgument { name, schema, required });
        self
    }

    pub fn without(mut self, hidden: &'static [&'static str]) -> Self {
        self.hidden = hidden;
        self
    }

    pub fn by_default(mut self, defaults: &'static [(&'static str, &'static str)]) -> Self {
        self.defaults = defaults;
        self
    }

    pub(super) fn chosen_operation(&self, arguments: &mut Arguments) -> Result<&'static str, Problem> {
        let Execution::OneOperation(choose) = self.execution else { return Ok(self.operations[0]) };
        Ok(match choose(arguments)? {
            "" => self.operations[0],
            chosen => chosen,
        })
    }
}
