//! What a model is, and how it chooses commands.

use serde_json::Value;

use super::{
    command::{Command, Way},
    dice::Dice,
    expected::Expected,
};

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

/// A command of one of these generators, each as often as the number beside it says. A third of those with a tool go by
/// it, a third of the others with a form by that.
pub fn choose<M, G: Copy>(
    dice: &mut Dice,
    generators: impl Iterator<Item = (u64, G)> + Clone,
    make: impl Fn(&mut Dice, G) -> Option<Command<M>>,
) -> Option<Command<M>> {
    // What cannot be done yet gives its turn to another.
    (0..20).find_map(|_| {
        let generator = dice.weighted(generators.clone())?;
        let mut command = make(dice, generator)?;
        if command.tool.is_some() && dice.percent(35) {
            command.way = Way::Mcp;
        } else if command.form.is_some() && dice.percent(35) {
            command.way = Way::Page;
        }
        Some(command)
    })
}
