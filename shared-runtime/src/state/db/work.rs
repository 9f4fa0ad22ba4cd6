//! A piece of work on its way to an executor thread and its outcome on the way back.

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

use super::{idempotency_record::IdempotencyRecord, measures::SideState};
use crate::{base::telemetry::Stopwatch, state::db::Conn};

/// How one run ended; the outcome itself stays with the work until it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunOutcome {
    /// It succeeded: commit.
    Succeeded,
    /// It was refused or it failed for good: roll back.
    Failed,
    /// It lost a race, or a unique key is in its way, which may be a race in disguise: roll back and run it again.
    Conflict,
    /// The connection broke under it.
    ConnectionLost,
    /// It panicked: roll back. A query has no transaction to roll back, so its connection is closed.
    Panicked,
}

/// Work that an executor thread can do without knowing its type.
pub(super) trait QueuedWork: Send {
    /// Whether somebody still waits; from now on they wait until it is answered.
    fn claim(&mut self) -> bool;
    /// Runs it once and keeps the outcome.
    fn run(&mut self, conn: &mut Conn) -> RunOutcome;
    /// The idempotency record that a successful run wants written.
    fn idempotency_record(&self) -> Option<&IdempotencyRecord>;
    /// Replaces the outcome: what was done is undone.
    fn fail_with(&mut self, failure: Failure);
    /// Makes a unique key that stays in the way a fault of ours.
    fn give_up(&mut self);
    /// Sends the outcome.
    fn answer(self: Box<Self>);
}

/// What a transaction returns to its caller, and the row that is to be inserted with its effects.
pub(super) type Output<T> = (T, Option<IdempotencyRecord>);

/// A closure with the way back to whoever asked.
pub(super) struct Work<T, F> {
    closure: F,
    outcome: Option<Result<Output<T>, Error>>,
    back: oneshot::Sender<Result<T, Error>>,
    claimed: Arc<AtomicBool>,
    side: SideState,
    /// Since it was queued, then since it was claimed.
    since: Stopwatch,
}

/// Where the outcome of a [`Work`] arrives.
pub(super) struct Receipt<T> {
    /// The way back.
    pub(super) outcome: oneshot::Receiver<Result<T, Error>>,
    /// Set by whichever is first: the thread that begins, or the caller who gives up.
    pub(super) claimed: Arc<AtomicBool>,
}

impl<T, F> Work<T, F>
where
    T: Send + 'static,
    F: Fn(&mut Conn) -> Result<Output<T>, Error> + Send + 'static,
{
    /// Work to be queued, and the receipt for its outcome.
    pub(super) fn queued(closure: F, side: SideState) -> (Box<dyn QueuedWork>, Receipt<T>) {
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

/// Whether the connection broke, and with it the transaction.
pub(super) fn is_connection_lost(failure: &Failure) -> bool {
    use DatabaseErrorKind::{ClosedConnection, UnableToSendCommand};
    matches!(
        database_error(failure),
        Some(
            DieselError::DatabaseError(ClosedConnection | UnableToSendCommand, _)
                | DieselError::BrokenTransactionManager
        )
    )
}

/// Whether a unique key is in the way.
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
