//! The idempotency key of a request, an argument of commands.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use shared_model::{Error, Failure, NextAction, code};

use super::{keyed_operations::KeyedOperations, request};
use crate::{
    http::{
        argument::{AdmittedRequest, Argument},
        arguments::State,
        contract::Contract,
    },
    state::db::LaneKey,
};

/// A command's idempotency key and everything it is bound to.
#[derive(Clone, Debug)]
pub struct Once {
    pub(super) bound: Bound,
    operation: &'static str,
    key: String,
    /// The template of the URL that lists the commands of a key.
    lookup: Option<&'static str>,
}

/// What a key is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
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
        let State(keyed) = State::<KeyedOperations>::extract(request)?;
        let bound = Bound {
            scope: request::scope(contract, identity, key),
            fingerprint: request::fingerprint(contract.id, &request.path_values(), request.body.json())?,
            lane: request::lane(identity),
        };
        Ok(Self { bound, operation: contract.id, key: key.to_owned(), lookup: keyed.lookup })
    }
}

impl Once {
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Says which command a reused key belongs to. It is the caller's own: the key is bound to the caller.
    pub(super) fn explain(&self, error: Error, base_url: &str) -> Error {
        match error {
            Error::Refused(refusal) if refusal.code == &code::IDEMPOTENCY_KEY_REUSED => {
                let first_used_at = match refusal.next {
                    Some(NextAction::NewKey { first_used_at, .. }) => first_used_at,
                    _ => None,
                };
                let key = utf8_percent_encode(&self.key, NON_ALPHANUMERIC).to_string();
                let href = self.lookup.map(|path| format!("{base_url}{}", path.replace("{key}", &key)));
                let operation = Some(self.operation.to_owned());
                refusal.next(NextAction::NewKey { operation, first_used_at, href }).into()
            }
            error => error,
        }
    }
}
