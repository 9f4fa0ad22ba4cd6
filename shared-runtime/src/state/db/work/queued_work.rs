//! A closure on its way to an executor thread, and its outcome on the way back.

use std::{
    any::Any,
    error::Error as _,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use shared_model::{Error, Failure, failure::Kind};
use tokio::sync::oneshot;

use super::idempotency_record::IdempotencyRecord;
use crate::{
    base::telemetry::Stopwatch,
    state::db::{Conn, pool::side_state::SideState},
};

/// How a run ended. The outcome itself stays in the work until it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunOutcome {
    Succeeded,
    /// Refused, or failed for good: roll back.
    Failed,
    /// It lost a race: roll back and run it again. A unique key in the way may be a race too.
    Conflict,
    ConnectionLost,
    /// Roll back. A query has no transaction, so its connection is closed.
    Panicked,
}

/// Work without its result type, so that one queue takes all.
pub trait QueuedWork: Send {
    /// True when the caller still waits. From then on the caller waits for the answer.
    fn claim(&mut self) -> bool;
    fn run(&mut self, conn: &mut Conn) -> RunOutcome;
    /// The record that a successful run returned.
    fn idempotency_record(&self) -> Option<&IdempotencyRecord>;
    /// Replaces the outcome after a rollback.
    fn fail_with(&mut self, failure: Failure);
    /// Turns a unique key that is still in the way into a fault (500).
    fn give_up(&mut self);
    fn answer(self: Box<Self>);
}

/// The value for the caller, and the idempotency record to insert with the effects.
pub type Output<T> = (T, Option<IdempotencyRecord>);

pub struct Work<T, F> {
    closure: F,
    outcome: Option<Result<Output<T>, Error>>,
    back: oneshot::Sender<Result<T, Error>>,
    claimed: Arc<AtomicBool>,
    side: SideState,
    since: Stopwatch,
}

pub struct Receipt<T> {
    pub outcome: oneshot::Receiver<Result<T, Error>>,
    /// Set by the thread that begins or by the caller that gives up, whichever is first.
    pub claimed: Arc<AtomicBool>,
}

impl<T, F> Work<T, F>
where
    T: Send + 'static,
    F: Fn(&mut Conn) -> Result<Output<T>, Error> + Send + 'static,
{
    pub fn queued(closure: F, side: SideState) -> (Box<dyn QueuedWork>, Receipt<T>) {
        let (back, outcome) = oneshot::channel();
        let claimed = Arc::new(AtomicBool::new(false));
        let receipt = Receipt { outcome, claimed: Arc::clone(&claimed) };
        (Box::new(Self { closure, outcome: None, back, claimed, side, since: Stopwatch::start() }), receipt)
    }
}

impl<T, F> QueuedWork for Work<T, F>
where
    T: Send + 'static,
    F: Fn(&mut Conn) -> Result<Output<T>, Error> + Send + 'static,
{
    fn claim(&mut self) -> bool {
        if self.back.is_closed() || self.claimed.swap(true, Ordering::AcqRel) {
            return false;
        }
        if let Some(measures) = self.side.measures() {
            measures.wait.record(self.since.elapsed());
            self.since = Stopwatch::start();
        }
        true
    }

    fn run(&mut self, conn: &mut Conn) -> RunOutcome {
        // A panic in one transaction must not end the thread that serves all others.
        let ran = catch_unwind(AssertUnwindSafe(|| (self.closure)(conn)));
        let panicked = ran.is_err();
        let outcome = ran.unwrap_or_else(|panic| Err(Failure::fault(describe(&*panic)).into()));
        let ended = match &outcome {
            _ if panicked => RunOutcome::Panicked,
            Ok(_) => RunOutcome::Succeeded,
            Err(Error::Refused(_)) => RunOutcome::Failed,
            Err(Error::Failed(failure)) if is_connection_lost(failure) => RunOutcome::ConnectionLost,
            Err(Error::Failed(failure)) if failure.kind() == Kind::Conflict => RunOutcome::Conflict,
            Err(Error::Failed(_)) => RunOutcome::Failed,
        };
        self.outcome = Some(outcome);
        ended
    }

    fn idempotency_record(&self) -> Option<&IdempotencyRecord> {
        self.outcome.as_ref()?.as_ref().ok()?.1.as_ref()
    }

    fn fail_with(&mut self, failure: Failure) {
        self.outcome = Some(Err(failure.into()));
    }

    fn give_up(&mut self) {
        self.outcome = match self.outcome.take() {
            Some(Err(Error::Failed(failure))) if is_unique_violation(&failure) => {
                Some(Err(Failure::fault("a conflict that another try does not resolve").from_source(failure).into()))
            }
            other => other,
        };
    }

    fn answer(self: Box<Self>) {
        if let Some(measures) = self.side.measures() {
            measures.work.record(self.since.elapsed());
        }
        let outcome = self.outcome.unwrap_or_else(|| Err(Failure::fault("queued work was not run").into()));
        if self.back.send(outcome.map(|(value, _)| value)).is_err() {
            tracing::debug!("nobody waits any more for an answer of the database");
        }
    }
}

/// True when the connection broke, and with it the transaction.
pub fn is_connection_lost(failure: &Failure) -> bool {
    use DatabaseErrorKind::{ClosedConnection, UnableToSendCommand};
    matches!(
        database_error(failure),
        Some(
            DieselError::DatabaseError(ClosedConnection | UnableToSendCommand, _)
                | DieselError::BrokenTransactionManager
        )
    )
}

fn is_unique_violation(failure: &Failure) -> bool {
    matches!(database_error(failure), Some(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _)))
}

fn database_error(failure: &Failure) -> Option<&DieselError> {
    failure.source()?.downcast_ref()
}

fn describe(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a database transaction panicked: {}", text.unwrap_or("without a message"))
}
