//! The idempotency key of a request, an argument of commands.

use shared_model::{Error, Failure, code};

use super::request;
use crate::{
    http::{
        argument::{AdmittedRequest, Argument},
        contract::Contract,
    },
    state::db::LaneKey,
};

/// A command's idempotency key and everything it is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Once {
    /// Hash of the caller, workspace, operation and key. It never contains a token's text.
    pub(super) scope: [u8; 32],
    /// Hash of the request. Within one scope, equal fingerprints are the same command.
    pub(super) fingerprint: [u8; 32],
    /// Of the workspace or account.
    pub(super) lane: LaneKey,
}

impl Argument for Once {
    fn describe(contract: &mut Contract) {
        contract.takes_key = true;
        contract.takes_header(
            request::HEADER,
            true,
            "1 to 255 visible ASCII characters. A command with the same key runs only once.",
        );
        contract
            .refuses(&code::IDEMPOTENCY_KEY_REQUIRED)
            .refuses(&code::IDEMPOTENCY_KEY_REUSED)
            .refuses(&code::IDEMPOTENCY_IN_PROGRESS);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let key = request::key(request.single_header(request::HEADER)?)?;
        // Without a caller all clients would share one namespace of keys.
        let Some(identity) = request.identity.as_deref() else {
            return Err(Failure::fault("a public operation takes an idempotency key, but has no caller").into());
        };
        let contract = request.contract;
        Ok(Self {
            scope: request::scope(contract.surface.name, identity, contract.id, key),
            fingerprint: request::fingerprint(contract.id, &request.path_values(), request.body.json())?,
            lane: request::lane(identity),
        })
    }
}
