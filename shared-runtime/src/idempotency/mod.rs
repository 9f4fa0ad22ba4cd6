//! Commands that happen once (spec: Idempotency-Key): the key's row, the effect and the stored answer in one commit.

mod ledger;
mod lookup;
mod request;
mod run;
mod stored;
mod sweep;
#[cfg(test)]
mod tests;

use shared_model::{Error, Failure, code};

use crate::{
    context::Context,
    http::{
        argument::{AdmittedRequest, Argument},
        contract::Contract,
        reply::Answer,
    },
    state::db::{Conn, LaneKey},
};

pub use lookup::{Command, CommandState, Commands, Key, KeyedOperations, lookup};
pub use sweep::SWEEP;

/// A command's idempotency key, with all that it is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Once {
    /// Who calls, in which workspace, which operation, with which key: one hash. Never a token's text.
    scope: [u8; 32],
    /// What is asked: one hash. Two requests with one scope are the same command when this is the same.
    fingerprint: [u8; 32],
    /// The workspace or account that the command is for.
    lane: LaneKey,
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
            fingerprint: request::fingerprint(contract.id, &request.path_values(), request.body.as_ref())?,
            lane: request::lane(identity),
        })
    }
}

impl Context {
    /// Runs a command's transaction exactly once for its key: replays the answer of an earlier run, waits for a parallel
    /// one. The transaction reads and changes what belongs to the caller's workspace (or account, where there are none),
    /// and what only transactions of [`Context::write`] change: those of other workspaces run beside it.
    pub async fn once<T: 'static>(
        &self,
        once: Once,
        transaction: impl Fn(&mut Conn) -> Result<Answer<T>, Error> + Send + 'static,
    ) -> Result<Answer<T>, Error> {
        run::once(&self.db, &self.in_flight, self.clock.now(), once, transaction).await
    }
}

/// The name of a command's in-flight lock.
fn lock_key(scope: [u8; 32]) -> String {
    format!("once:{}", hex::encode(scope))
}
