//! What each service says about itself.

use serde_json::Value;

use super::{command::Command, dice::Dice, expected::Expected};

/// What a service is to do, in memory.
pub trait Model: Clone + PartialEq + 'static {
    /// Any command that may be interesting now.
    fn command(&self, dice: &mut Dice, number: &str) -> Option<Command<Self>>;
    /// The reads and commands of this phase of the end; empty after the last phase.
    fn ending(&self, phase: u32) -> Option<Vec<Command<Self>>>;
    /// A read that tells in which order commands have happened.
    fn tells(&self) -> Command<Self>;
    /// Asks whether the command with a key has happened.
    fn look_up(&self, command: &Command<Self>) -> Option<Command<Self>>;
    /// What a repeated command is answered, from the body of its first answer.
    fn repeated(body: Value) -> Expected {
        Expected::success(body)
    }
}
