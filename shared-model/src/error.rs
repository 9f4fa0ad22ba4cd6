//! Why an operation stops: refused, which the caller can correct, or failed, which is the service's fault. Neither converts
//! into the other.

use std::fmt;

use crate::{failure::Failure, refusal::Refusal};

/// The error of every verb, transaction and command.
#[derive(Debug)]
pub enum Error {
    /// The caller can act; the text is public.
    Refused(Box<Refusal>),
    /// The service failed; the text is not public.
    Failed(Failure),
}

impl Error {
    /// Whether it is a failure whose outage is in the log already ([`Failure::already_logged`]).
    pub fn is_already_logged(&self) -> bool {
        matches!(self, Self::Failed(failure) if failure.is_already_logged())
    }
}

/// For an operator at a command line, who sees refusals and failures alike. An answer is never made of this.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => f.write_str(&refusal.message),
            Self::Failed(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<diesel::result::Error> for Error {
    fn from(error: diesel::result::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Failed(error.into())
    }
}
