//! What the workers have been answered.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

/// A proposal, or a plan of one file.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Empty for a plan alone.
    pub proposal: String,
    pub author: String,
    /// The text that its plan adds to each file.
    pub texts: BTreeMap<String, String>,
    pub applied: usize,
    pub undone: usize,
    /// Commands and answers, in the order of the answers.
    pub story: Vec<String>,
}

/// Verbs and outcomes without which a history proves little.
const EXPECTED: [(&str, &str); 14] = [
    ("propose", "200"),
    ("plans", "200"),
    ("request-review", "200"),
    ("approve", "200"),
    ("approve", "self_approval"),
    ("reject", "200"),
    ("discard", "200"),
    ("rebase", "200"),
    ("apply", "200"),
    ("apply", "plan_stale"),
    ("apply", "approval_required"),
    ("undo", "200"),
    ("single", "200"),
    ("trash", "200"),
];

pub struct History {
    pub files: Vec<String>,
    pub units: RefCell<Vec<Unit>>,
    /// How often each verb had each outcome.
    outcomes: RefCell<BTreeMap<(String, String), usize>>,
    texts: Cell<usize>,
    pub resent: Cell<usize>,
}

impl History {
    pub fn new(files: Vec<String>) -> Self {
        Self {
            files,
            units: RefCell::default(),
            outcomes: RefCell::default(),
            texts: Cell::new(0),
            resent: Cell::new(0),
        }
    }

    /// A text that no other plan adds.
    pub fn fresh_text(&self) -> String {
        self.texts.set(self.texts.get() + 1);
        format!("text {}", self.texts.get())
    }

    pub fn count(&self, verb: &str, outcome: &str) {
        *self.outcomes.borrow_mut().entry((verb.to_owned(), outcome.to_owned())).or_default() += 1;
    }

    /// What a history is to try and has not met yet.
    pub fn missing(&self) -> Vec<(&'static str, &'static str)> {
        let outcomes = self.outcomes.borrow();
        let is_met =
            |(verb, outcome): &(&str, &str)| outcomes.contains_key(&((*verb).to_owned(), (*outcome).to_owned()));
        EXPECTED.into_iter().filter(|expected| !is_met(expected)).collect()
    }

    pub fn summary(&self) -> String {
        format!("{:?}; sent again after a kill: {}", self.outcomes.borrow(), self.resent.get())
    }
}
