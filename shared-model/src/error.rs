//! Why an operation stops: a refusal, which the caller can correct, or a failure, which is our fault. Neither converts
//! into the other.

use std::fmt;

use crate::{failure::Failure, refusal::Refusal};

#[derive(Debug)]
pub enum Error {
    /// The caller can act. The text is public.
    Refused(Box<Refusal>),
    /// The service failed. The text is not public.
    Failed(Failure),
}

impl Error {
    pub fn is_already_logged(&self) -> bool {
        matches!(self, Self::Failed(failure) if failure.is_already_logged())
    }
}

// Only for an operator at a command line. Answers to clients never show a failure's text.
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

#[cfg(feature = "diesel")]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code;

    #[test]
    fn only_a_failure_is_logged_and_only_once() {
        let (refused, failed) = (code::not_found(), Failure::unavailable("the database"));
        assert_eq!(Error::from(refused.clone()).to_string(), "There is no such resource.");
        let new = Error::from(failed);
        assert_eq!(new.to_string(), "the database");
        let old = Error::from(Failure::unavailable("the database").already_logged());
        assert_eq!([refused.into(), new, old].map(|error| error.is_already_logged()), [false, false, true]);
    }
}
