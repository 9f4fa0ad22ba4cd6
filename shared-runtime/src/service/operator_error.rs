//! Errors at the command line.
// Below the commands, which all need it.

use std::error::Error as StdError;

/// For the operator at the command line, who may read causes of failures.
pub fn error_for_operator(error: shared_model::Error) -> Box<dyn StdError> {
    match error {
        shared_model::Error::Refused(refusal) => refusal.message.into_owned().into(),
        shared_model::Error::Failed(failure) => failure.into(),
    }
}
