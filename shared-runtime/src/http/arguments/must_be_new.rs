//! `If-None-Match: *` with a command: only if there is nothing of the kind yet (RFC 9110 §13.1.2).

use shared_model::{Error, code};

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

/// Whether the command is only for when there is nothing of the kind yet (`If-None-Match: *`).
#[derive(Clone, Copy, Debug)]
pub struct MustBeNew(pub bool);

impl Argument for MustBeNew {
    fn describe(contract: &mut Contract) {
        contract.takes_header("If-None-Match", false, "`*`: only if there is nothing of the same name yet.");
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        match request.single_header("If-None-Match")?.map(str::trim) {
            None => Ok(Self(false)),
            Some("*") => Ok(Self(true)),
            Some(_) => Err(code::invalid_parameter("If-None-Match", "must be * with a command").into()),
        }
    }
}
