//! What a history was, and where it differed from the model.

use std::{collections::BTreeMap, fmt};

use super::command::Way;

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
    pub outcomes: BTreeMap<(&'static str, String), usize>,
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
    pub fn count(&mut self, operation: &'static str, way: Way, outcome: &str) {
        self.commands += 1;
        *self.ways.entry(way).or_default() += 1;
        *self.outcomes.entry((operation, outcome.to_owned())).or_default() += 1;
    }

    pub fn add(&mut self, other: &Self) {
        self.commands += other.commands;
        self.kills += other.kills;
        self.failovers += other.failovers;
        self.lost += other.lost;
        for (way, count) in &other.ways {
            *self.ways.entry(*way).or_default() += count;
        }
        for (outcome, count) in &other.outcomes {
            *self.outcomes.entry(outcome.clone()).or_default() += count;
        }
    }

    /// Operations that have never succeeded.
    pub fn without_success<'o>(&self, operations: &[&'o str]) -> Vec<&'o str> {
        // A history in which an operation was only refused says little about it.
        let has = |name: &str| self.outcomes.keys().any(|(operation, outcome)| *operation == name && outcome == "200");
        operations.iter().copied().filter(|name| !has(name)).collect()
    }
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
