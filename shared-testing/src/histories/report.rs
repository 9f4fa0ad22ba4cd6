//! What a history was, and where it differed from the model.

use std::{collections::BTreeMap, fmt};

use super::command::{Command, Way};

/// How often each of these had each outcome: the status of a success, or the code of a refusal.
type Outcomes = BTreeMap<(&'static str, String), usize>;

/// The course of one history.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub commands: usize,
    pub kills: usize,
    pub failovers: usize,
    pub lost: usize,
    /// Commands with an answer, by the way that they were sent.
    pub ways: BTreeMap<Way, usize>,
    /// How often each operation had each outcome.
    pub outcomes: Outcomes,
    /// The same for tools.
    pub tools: Outcomes,
    pub lines: Vec<String>,
    pub difference: Option<Difference>,
}

#[derive(Clone, Debug)]
pub struct Difference {
    pub operation: &'static str,
    /// The index of the step; none at the end, when everything is compared.
    pub step: Option<usize>,
    /// Why the answer is not possible, for each world.
    pub reasons: Vec<String>,
}

impl Report {
    pub fn count<M>(&mut self, command: &Command<M>, outcome: &str) {
        self.commands += 1;
        *self.ways.entry(command.way).or_default() += 1;
        *self.outcomes.entry((command.operation, outcome.to_owned())).or_default() += 1;
        if let (Way::Mcp, Some((tool, _))) = (command.way, &command.tool) {
            *self.tools.entry((*tool, outcome.to_owned())).or_default() += 1;
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.commands += other.commands;
        self.kills += other.kills;
        self.failovers += other.failovers;
        self.lost += other.lost;
        for (way, count) in &other.ways {
            *self.ways.entry(*way).or_default() += count;
        }
        for (own, others) in [(&mut self.outcomes, &other.outcomes), (&mut self.tools, &other.tools)] {
            for (outcome, count) in others {
                *own.entry(outcome.clone()).or_default() += count;
            }
        }
    }

    /// Operations that have never succeeded.
    pub fn without_success<'o>(&self, operations: &[&'o str]) -> Vec<&'o str> {
        without_success(&self.outcomes, operations)
    }

    /// Tools that have never succeeded.
    pub fn tools_without_success<'o>(&self, tools: &[&'o str]) -> Vec<&'o str> {
        without_success(&self.tools, tools)
    }
}

// A history in which something was only refused says little about it.
fn without_success<'o>(outcomes: &Outcomes, names: &[&'o str]) -> Vec<&'o str> {
    let is_success = |outcome: &str| outcome.parse().is_ok_and(|status: u16| status < 400);
    let has = |name: &str| outcomes.keys().any(|(known, outcome)| *known == name && is_success(outcome));
    names.iter().copied().filter(|name| !has(name)).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        if let Some(difference) = &self.difference {
            writeln!(f, "# {} answers what no history of these commands explains:", difference.operation)?;
            for reason in &difference.reasons {
                writeln!(f, "#   {reason}")?;
            }
        }
        Ok(())
    }
}
