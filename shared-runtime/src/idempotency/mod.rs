//! Commands that happen once (spec: Idempotency-Key): the key's row, the effect and the stored answer in one commit.

mod ledger;
mod lookup;
mod request;
mod run;
mod stored;
mod sweep;
#[cfg(test)]
mod tests;

use actix_web::{HttpMessage as _, HttpRequest};
use shared_model::{Error, Failure, code};

use crate::{
    context::Context,
    http::{
        admission::Admitted,
        arguments::{Argument, single_header},
        openapi::OperationDoc,
        reply::Answer,
        routes::Operation,
    },
    state::db::Conn,
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
}

impl Argument for Once {
    fn describe(doc: &mut OperationDoc) {
        doc.takes_header("Idempotency-Key", true, "1 to 255 visible ASCII characters; the same key never acts twice.");
        doc.refuses(&code::IDEMPOTENCY_KEY_REQUIRED);
        doc.refuses(&code::IDEMPOTENCY_KEY_REUSED);
        doc.refuses(&code::IDEMPOTENCY_IN_PROGRESS);
    }

    fn extract(request: &HttpRequest, operation: &Operation) -> Result<Self, Error> {
        let key = request::key(single_header(request, request::HEADER)?)?;
        let extensions = request.extensions();
        let admitted = extensions.get::<Admitted>();
        let Some(identity) = admitted.and_then(|admitted| admitted.identity.as_deref()) else {
            return Err(Failure::fault("a public operation has nobody whose key it could be").into());
        };
        let body = admitted.and_then(|admitted| admitted.body.as_ref());
        let path: Vec<&str> = request.match_info().iter().map(|(_, value)| value).collect();
        Ok(Self {
            scope: request::scope(operation.surface.name, identity, operation.id, key),
            fingerprint: request::fingerprint(operation.id, &path, body)?,
        })
    }
}

impl Context {
    /// Runs a command's transaction exactly once for its key: replays the answer of an earlier run, waits for a parallel one.
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
