//! `If-None-Match: *` on a command (RFC 9110 §13.1.2): only if nothing of this name exists.

use shared_model::{Error, code};

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

#[derive(Clone, Copy, Debug)]
pub struct MustBeNew(pub bool);

impl Argument for MustBeNew {
    fn describe(contract: &mut Contract) {
        contract.takes_header("If-None-Match", false, "`*`: only if nothing of the same name exists.");
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        match request.single_header("If-None-Match")?.map(str::trim) {
            None => Ok(Self(false)),
            Some("*") => Ok(Self(true)),
            Some(_) => Err(code::invalid_parameter("If-None-Match", "must be * with a command").into()),
        }
    }
}
