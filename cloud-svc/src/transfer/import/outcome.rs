//! The outcome of each entry, counted and printed.

use std::fmt;

use shared_model::{NextAction, Refusal, problem, text::printable};

use crate::base::ids::FileId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Added(FileId),
    Unchanged(FileId),
    /// The source has changed since it was imported; the file is left alone.
    Changed(FileId),
    /// The imported file is in the trash.
    InTrash(FileId),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// New files and folders.
    pub added: u64,
    pub unchanged: u64,
    pub changed: u64,
    pub in_trash: u64,
    pub refused: u64,
    /// Entries whose names begin with a period.
    pub hidden: u64,
}

impl Tally {
    /// Whether the workspace has each entry as it is at the source, or has it in the trash.
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

const PROBLEMS: usize = 5;

/// One line of text.
pub fn why(refusal: &Refusal) -> String {
    match &refusal.next {
        Some(NextAction::CorrectRequest { problems }) if !problems.is_empty() => {
            let mut text = problem::describe(problems.get(..PROBLEMS).unwrap_or(problems));
            if problems.len() > PROBLEMS {
                text.push_str(&format!("; and {} more", problems.len() - PROBLEMS));
            }
            text
        }
        _ => printable(&refusal.message).into_owned(),
    }
}
