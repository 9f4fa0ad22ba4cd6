//! What a self-check finds.

use std::fmt;

use shared_model::{Error, Failure};

/// Two things that must say the same do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where: "entry 17", "tile/1/000, hash 3".
    pub place: String,
    /// What must be, and what is.
    pub what: String,
}

/// Why a self-check did not find everything in order.
#[derive(Debug)]
pub enum CheckError {
    /// The log is damaged.
    Mismatch(Mismatch),
    /// It could not be read.
    Failed(Failure),
}

impl Mismatch {
    /// At `place`, `name` must be `expected`, and is `stored`.
    pub fn new(place: String, name: &str, expected: impl fmt::Display, stored: impl fmt::Display) -> Self {
        Self { place, what: format!("{name} must be {expected}, and is {stored}") }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the log is damaged at {}: {}", self.place, self.what)
    }
}

impl From<Mismatch> for CheckError {
    fn from(mismatch: Mismatch) -> Self {
        Self::Mismatch(mismatch)
    }
}

impl From<Error> for CheckError {
    fn from(error: Error) -> Self {
        match error {
            Error::Failed(failure) => Self::Failed(failure),
            Error::Refused(refusal) => Self::Failed(Failure::fault(refusal.message)),
        }
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Mismatch(mismatch) => Self::fault(mismatch.to_string()),
            CheckError::Failed(failure) => failure,
        }
    }
}
