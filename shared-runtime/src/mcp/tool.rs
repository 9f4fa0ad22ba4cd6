//! A tool: its operations, and its description for agents.

use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use shared_model::{Failure, Problem};

use super::{
    arguments::{Arguments, IDEMPOTENCY_KEY},
    steps::{Outcome, ToolCall},
    tool_argument::ToolArgument,
    written::Written,
};

/// A tool. It calls operations of the service with its arguments.
pub struct Tool {
    /// Never changes: agents and their prompts know it.
    pub name: &'static str,
    /// For models, which choose among tools by it.
    pub description: &'static str,
    /// What it may change.
    pub effect: Effect,
    /// All need the same scope; callers without it do not see the tool.
    pub operations: &'static [&'static str],
    pub execution: Execution,
    pub arguments: Vec<ToolArgument>,
    /// Values of missing arguments, for reads.
    pub defaults: &'static [(&'static str, &'static str)],
    /// Writes an answer for a model; `None`: as an outline of its JSON.
    pub write: fn(&Value) -> Option<Written>,
    /// Arguments of a right call, shown when arguments are refused. Empty: none.
    pub example: &'static str,
    /// The URI of the [`super::View`] that shows its results to people.
    pub view: Option<&'static str>,
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
    /// The function chooses one operation, and gives the arguments its form.
    OneOperation(fn(&mut Arguments) -> Result<&'static str, Problem>),
    /// Several operations, one after the other.
    Steps(for<'c> fn(ToolCall<'c>) -> LocalBoxFuture<'c, Result<Outcome, Failure>>),
}

impl Tool {
    pub fn new(
        name: &'static str,
        effect: Effect,
        operations: &'static [&'static str],
        description: &'static str,
    ) -> Self {
        Self {
            name,
            description,
            effect,
            operations,
            execution: Execution::OneOperation(|_| Ok("")),
            arguments: Vec::new(),
            defaults: &[],
            write: |_| None,
            example: "",
            view: None,
        }
    }

    /// Its arguments. Those of a change get an idempotency key, too.
    pub fn taking(mut self, arguments: impl IntoIterator<Item = ToolArgument>) -> Self {
        self.arguments = arguments.into_iter().collect();
        if self.effect != Effect::Reads {
            self.arguments.push(ToolArgument::text(IDEMPOTENCY_KEY));
        }
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

    pub fn by_default(mut self, defaults: &'static [(&'static str, &'static str)]) -> Self {
        self.defaults = defaults;
        self
    }

    pub fn writing(mut self, write: fn(&Value) -> Option<Written>) -> Self {
        self.write = write;
        self
    }

    pub fn example(mut self, example: &'static str) -> Self {
        self.example = example;
        self
    }

    pub fn shown_by(mut self, view: &'static str) -> Self {
        self.view = Some(view);
        self
    }

    pub(super) fn takes(&self, argument: &str) -> bool {
        self.arguments.iter().any(|known| known.name == argument)
    }

    pub(super) fn requires(&self, argument: &str) -> bool {
        self.arguments.iter().any(|known| known.name == argument && known.is_required)
    }

    pub(super) fn chosen_operation(&self, arguments: &mut Arguments) -> Result<&'static str, Problem> {
        let Execution::OneOperation(choose) = self.execution else { return Ok(self.operations[0]) };
        Ok(match choose(arguments)? {
            "" => self.operations[0],
            chosen => chosen,
        })
    }
}
