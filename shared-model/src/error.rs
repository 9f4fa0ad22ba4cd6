//! Why a verb stops early: refused (the caller's to mend) or failed (ours). The two never become one another.

use crate::{Failure, Refusal};

/// The error of every verb and every transaction.
#[derive(Debug)]
pub enum Error {
    /// The caller can act; the text is public.
    Refused(Box<Refusal>),
    /// We broke; nothing of it is public.
    Failed(Failure),
}

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
