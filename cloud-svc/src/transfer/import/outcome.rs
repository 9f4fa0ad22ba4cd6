//! What became of each thing, counted and told.

use std::fmt;

use shared_model::{NextAction, Refusal, problem, text::printable};

use crate::base::ids::FileId;

/// What became of a thing that was not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Added(FileId),
    Unchanged(FileId),
    /// Another content was imported from its place before, and stays.
    Changed(FileId),
    /// What was imported before is in the trash.
    InTrash(FileId),
}

/// How many things there were of each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files and folders that are new.
    pub added: u64,
    /// Those that were imported before.
    pub unchanged: u64,
    /// Those that were imported before with another content.
    pub changed: u64,
    /// Those that were imported before and are in the trash.
    pub in_trash: u64,
    /// Those that cannot be imported.
    pub refused: u64,
    /// Those whose name begins with a full stop.
    pub hidden: u64,
}

impl Tally {
    /// Whether every thing is in the workspace as it is at the source, or was put into the trash there.
    pub fn is_complete(&self) -> bool {
        self.changed == 0 && self.refused == 0
    }

    pub fn count(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Added(_) => &mut self.added,
            Outcome::Unchanged(_) => &mut self.unchanged,
            Outcome::Changed(_) => &mut self.changed,
            Outcome::InTrash(_) => &mut self.in_trash,
        } += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { added, unchanged, changed, in_trash, refused, hidden } = self;
        write!(
            f,
            "{added} added, {unchanged} unchanged, {changed} changed, {in_trash} in the trash, {refused} refused, \
             {hidden} hidden"
        )
    }
}

/// Problems of one file that are told at most.
const PROBLEMS: usize = 5;

/// Why a thing is refused, in a line.
pub fn why(refusal: &Refusal) -> String {
    match &refusal.next {
        Some(NextAction::CorrectRequest { problems }) if !problems.is_empty() => {
            let mut told = problem::describe(problems.get(..PROBLEMS).unwrap_or(problems));
            if problems.len() > PROBLEMS {
                told.push_str(&format!("; and {} more", problems.len() - PROBLEMS));
            }
            told
        }
        _ => printable(&refusal.message).into_owned(),
    }
}
