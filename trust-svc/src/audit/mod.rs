//! Auditing a log from outside: everything that it serves is fetched, computed again from the entries, and compared.
//!
//! The entries come in bundles, a few at a time; of what was computed only the last row of each level is kept, so that
//! memory does not grow with the log.

pub mod entry;
pub mod levels;
pub mod source;
pub mod walk;

use std::fmt;

pub use entry::Signers;
pub use source::Source;
pub use walk::{Audited, walk};

/// Something of the log is not as it must be, or not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where: a tile, an entry, the checkpoint.
    pub place: String,
    /// What is wrong there.
    pub problem: String,
}

impl Finding {
    /// This is wrong there.
    pub fn at(place: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self { place: place.to_string(), problem: problem.to_string() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for Finding {}
