//! A tool: which operations it is made of, and what an agent is told of it.

use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use shared_model::{Failure, Problem};

use super::{
    arguments::Arguments,
    steps::{Outcome, ToolCall},
};

/// A tool. Its arguments are those of its operations: the parameters of their paths and queries, `if_match`,
/// `idempotency_key`, and the members of their bodies.
pub struct Tool {
    /// Its name, stable for ever.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, for a model that chooses among tools.
    pub description: &'static str,
    /// What it may do to what is there.
    pub effect: Effect,
    /// The operations whose arguments it takes; all of them ask for the same scope, without which nobody is told of the tool.
    pub operations: &'static [&'static str],
    /// How it is carried out.
    pub way: Way,
    /// Arguments that are the tool's own, and those of its operations with another description.
    pub own: Vec<OwnArgument>,
    /// Arguments of its operations that it does not take.
    pub hidden: &'static [&'static str],
    /// Arguments of reads where none are sent.
    pub defaults: &'static [(&'static str, &'static str)],
}

/// What a tool may do to what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Reads,
    /// Adds to it, and takes nothing away.
    Adds,
    /// Replaces something, or takes it away.
    Replaces,
}

/// How a tool is carried out.
pub enum Way {
    /// By one of its operations, which this chooses; it takes the tool's own arguments out of the others.
    Chosen(fn(&mut Arguments) -> Result<&'static str, Problem>),
    /// By some of them, one after the other.
    Steps(for<'c> fn(ToolCall<'c>) -> LocalBoxFuture<'c, Result<Outcome, Failure>>),
}

/// An argument that is a tool's own.
pub struct OwnArgument {
    /// Its name.
    pub name: &'static str,
    /// Its JSON schema.
    pub schema: Value,
    /// Whether it must be there.
    pub required: bool,
}

impl Tool {
    /// A tool that is one operation.
    pub fn of(name: &'static str, effect: Effect, operations: &'static [&'static str]) -> Self {
        Self {
            name,
            title: "",
            description: "",
            effect,
            operations,
            way: Way::Chosen(|_| Ok("")),
            own: Vec::new(),
            hidden: &[],
            defaults: &[],
        }
    }

    /// With what an agent is told of it.
    pub fn told(mut self, title: &'static str, description: &'static str) -> Self {
        (self.title, self.description) = (title, description);
        self
    }

    /// By the operation that this chooses.
    pub fn chosen(mut self, choose: fn(&mut Arguments) -> Result<&'static str, Problem>) -> Self {
        self.way = Way::Chosen(choose);
        self
    }

    /// By some of its operations, one after the other.
    pub fn steps(mut self, steps: for<'c> fn(ToolCall<'c>) -> LocalBoxFuture<'c, Result<Outcome, Failure>>) -> Self {
        self.way = Way::Steps(steps);
        self
    }

    /// With an argument of its own.
    pub fn own(mut self, name: &'static str, required: bool, schema: Value) -> Self {
        self.own.push(OwnArgument { name, schema, required });
        self
    }

    /// Without these arguments of its operations.
    pub fn hiding(mut self, hidden: &'static [&'static str]) -> Self {
        self.hidden = hidden;
        self
    }

    /// With these arguments where none are sent.
    pub fn by_default(mut self, defaults: &'static [(&'static str, &'static str)]) -> Self {
        self.defaults = defaults;
        self
    }

    /// The operation of a tool that chooses one.
    pub(super) fn chosen_operation(&self, arguments: &mut Arguments) -> Result<&'static str, Problem> {
        let Way::Chosen(choose) = self.way else { return Ok(self.operations[0]) };
        Ok(match choose(arguments)? {
            "" => self.operations[0],
            chosen => chosen,
        })
    }
}
