//! The idempotency key of a request, as an argument of commands.

use shared_model::{Error, Failure, code};

use super::request;
use crate::{
    http::{
        argument::{AdmittedRequest, Argument},
        contract::Contract,
    },
    state::db::LaneKey,
};

/// A command's idempotency key, with all that it is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Once {
    /// Who calls, in which workspace, which operation, with which key: one hash. Never a token's text.
    pub(super) scope: [u8; 32],
    /// What is asked: one hash. Two requests with one scope are the same command when this is the same.
    pub(super) fingerprint: [u8; 32],
    /// The workspace or account that the command is for.
    pub(super) lane: LaneKey,
}

impl Argument for Once {
    fn describe(contract: &mut Contract) {
        contract.takes_key = true;
        contract.takes_header(
            request::HEADER,
            true,
            "1 to 255 visible ASCII characters; the same key never acts twice.",
        );
        contract
            .refuses(&code::IDEMPOTENCY_KEY_REQUIRED)
            .refuses(&code::IDEMPOTENCY_KEY_REUSED)
            .refuses(&code::IDEMPOTENCY_IN_PROGRESS);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let key = request::key(request.single_header(request::HEADER)?)?;
        let Some(identity) = request.identity.as_deref() else {
            return Err(Failure::fault("a public operation has nobody whose key it could be").into());
        };
        let contract = request.contract;
        Ok(Self {
            scope: request::scope(contract.surface.name, identity, contract.id, key),
            fingerprint: request::fingerprint(contract.id, &request.path_values(), request.body.json())?,
            lane: request::lane(identity),
        })
    }
}
