//! Audits a log over HTTP: fetches everything that it serves, computes it again from the entries, and compares.
//!
//! Entries are fetched in bundles, a few at a time, and only the last row of each level is stored. So memory does not
//! grow with the log.

pub mod entry;
pub mod levels;
pub mod source;
pub mod walk;

use std::fmt;

pub use entry::Signers;
pub use source::Source;
pub use walk::{Audited, walk};

/// A part of the log that is wrong or missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A tile, an entry, or the checkpoint.
    pub place: String,
    pub problem: String,
}

impl Finding {
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
