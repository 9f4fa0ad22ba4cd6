//! The errors of a self-check.

use std::fmt;

use shared_model::{Error, Failure};

/// Stored data that does not follow from the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// For example `entry 17` or `tile/1/000, hash 3`.
    pub place: String,
    /// The expected and the stored value.
    pub what: String,
}

#[derive(Debug)]
pub enum CheckError {
    Mismatch(Mismatch),
    /// The log could not be read.
    Failed(Failure),
}

impl Mismatch {
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
