//! A tool: its operations, and its description for agents.

use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use shared_model::{Error, ErrorDetail, Failure, Problem, problem::shown_name, words};

use super::{
    arguments::{Arguments, IDEMPOTENCY_KEY, header_argument, problem},
    steps::{Outcome, ToolCall},
    tool_argument::ToolArgument,
    written::Written,
};
use crate::http::operations::Operations;

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
    /// Adds to an answer what only its text says, under [`super::FOR_TEXT`].
    pub knows: Option<Knows>,
    /// The call that helps after a refusal whose next action leads to no tool, or to a worse one.
    pub recovers: fn(&Arguments, &ErrorDetail) -> Option<Recovery>,
    /// Writes an answer for a model; `None`: as an outline of its JSON.
    pub write: fn(&Value) -> Option<Written>,
    /// Arguments of a right call, shown when arguments are refused. Empty: none.
    pub example: &'static str,
    /// The URI of the [`super::View`] that shows its results to people.
    pub view: Option<&'static str>,
}

pub type Knows = for<'c> fn(&'c Operations, &'c mut Value) -> LocalBoxFuture<'c, Result<(), Error>>;

/// The call that helps after a refusal.
#[derive(Clone, Debug)]
pub struct Recovery {
    pub tool: &'static str,
    pub arguments: Value,
    /// What to do after it, in a sentence. Empty: the same call again.
    pub then: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// Adds, and takes nothing away.
    Adds,
    /// Replaces, removes, or ends something for good.
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
            knows: None,
            recovers: |_, _| None,
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

    pub fn knowing(mut self, knows: Knows) -> Self {
        self.knows = Some(knows);
        self
    }

    pub fn recovering(mut self, recovers: fn(&Arguments, &ErrorDetail) -> Option<Recovery>) -> Self {
        self.recovers = recovers;
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

    /// Arguments that are missing, and those that it does not take. All at once, so that one correction is enough.
    pub(super) fn misfits(&self, operations: &Operations, arguments: &Arguments) -> Vec<Problem> {
        let is_missing =
            |known: &&ToolArgument| known.is_required && arguments.get(known.name).is_none_or(Value::is_null);
        let missing = self.arguments.iter().filter(is_missing).map(|known| problem(known.name, "is required"));
        // Programs also send parameters of the operation that models do not need.
        let is_parameter = |name: &str| {
            self.operations.iter().filter_map(|id| operations.contract(id)).any(|contract| {
                contract.path_names().any(|known| known == name)
                    || contract.query.iter().any(|parameter| parameter.name == name)
                    || contract
                        .headers
                        .iter()
                        .filter_map(|header| header_argument(header.name))
                        .any(|(_, of)| of == name)
            })
        };
        let unknown = arguments.keys().filter(|name| !self.takes(name) && !is_parameter(name)).map(|name| {
            let names: Vec<_> = self.arguments.iter().map(|known| known.name).collect();
            let rule = format!("is not an argument of this tool, which takes {}", words::join_and(&names));
            problem(&shown_name(name), &rule)
        });
        missing.chain(unknown).collect()
    }

    pub(super) fn chosen_operation(&self, arguments: &mut Arguments) -> Result<&'static str, Problem> {
        let Execution::OneOperation(choose) = self.execution else { return Ok(self.operations[0]) };
        Ok(match choose(arguments)? {
            "" => self.operations[0],
            chosen => chosen,
        })
    }
}
