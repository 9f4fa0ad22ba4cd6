//! Errors of the stack, as sentences for the person who started it.

use std::fmt::{self, Display};

use shared_model::{Error, Failure};

/// Says what went wrong and, if possible, what to do about it.
#[derive(Debug)]
pub struct StackError(String);

impl StackError {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

/// For `map_err`: "cannot `what`: `error`".
pub fn cannot<E: Display>(what: impl Display) -> impl FnOnce(E) -> StackError {
    // libpq ends its messages with a line feed.
    move |error| StackError(format!("cannot {what}: {}", error.to_string().trim_end()))
}

impl Display for StackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StackError {}

impl From<Failure> for StackError {
    fn from(failure: Failure) -> Self {
        Self(failure.to_string())
    }
}

impl From<Error> for StackError {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => Self(refusal.message.into_owned()),
            Error::Failed(failure) => failure.into(),
        }
    }
}
