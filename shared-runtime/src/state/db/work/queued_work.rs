//! A closure on its way to an executor thread, and its outcome on the way back.

use std::{
    any::Any,
    error::Error as _,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock},
};

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use shared_model::{Error, Failure, failure::Kind};
use tokio::sync::oneshot;

use super::{closure::Closure, idempotency_record::IdempotencyRecord};
use crate::{
    base::telemetry::Stopwatch,
    state::db::{
        Conn,
        pool::side_state::SideState,
        work::notifications::{self, Notifications},
    },
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

/// A closure that waits for an executor thread, then its outcome.
pub struct QueuedWork {
    closure: Box<dyn Closure>,
    outcome: Option<Result<Option<IdempotencyRecord>, Error>>,
    sent: Notifications,
    back: oneshot::Sender<Result<Done, Error>>,
    claimed: Claim,
    side: SideState,
    since: Stopwatch,
}

/// A closure that has succeeded, and what to send now that its transaction is committed.
pub struct Done {
    pub closure: Box<dyn Closure>,
    pub sent: Notifications,
}

/// Set once: by the thread that begins the work, or by the caller that gives up. Then it measures the time since.
pub type Claim = Arc<OnceLock<Stopwatch>>;

pub struct Receipt {
    pub outcome: oneshot::Receiver<Result<Done, Error>>,
    pub claimed: Claim,
}

impl QueuedWork {
    pub fn new(closure: Box<dyn Closure>, side: SideState) -> (Self, Receipt) {
        let (back, outcome) = oneshot::channel();
        let claimed = Claim::default();
        let receipt = Receipt { outcome, claimed: Arc::clone(&claimed) };
        let (sent, since) = (Notifications::default(), Stopwatch::start());
        (Self { closure, outcome: None, sent, back, claimed, side, since }, receipt)
    }

    /// True when the caller still waits. From then on the caller waits for the answer.
    pub fn claim(&mut self) -> bool {
        if self.back.is_closed() || self.claimed.set(Stopwatch::start()).is_err() {
            return false;
        }
        if let Some(measures) = self.side.measures() {
            measures.wait.record(self.since.elapsed());
            self.since = Stopwatch::start();
        }
        true
    }

    pub fn is_command(&self) -> bool {
        self.closure.is_command()
    }

    pub fn run(&mut self, conn: &mut Conn) -> RunOutcome {
        notifications::clear();
        // A panic in one transaction must not end the thread that serves all others.
        let ran = catch_unwind(AssertUnwindSafe(|| self.closure.run(conn)));
        self.sent = notifications::take();
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

    /// The record that a successful run returned.
    pub fn idempotency_record(&self) -> Option<&IdempotencyRecord> {
        self.outcome.as_ref()?.as_ref().ok()?.as_ref()
    }

    /// Sends also what later statements of its transaction asked to send.
    pub fn send_more(&mut self, more: Notifications) {
        self.sent.has_enqueued |= more.has_enqueued;
        self.sent.topics.extend(more.topics);
    }

    /// Replaces the outcome after a rollback.
    pub fn fail_with(&mut self, failure: Failure) {
        self.outcome = Some(Err(failure.into()));
    }

    /// Turns a unique key that is still in the way into a fault (500).
    pub fn give_up(&mut self) {
        self.outcome = match self.outcome.take() {
            Some(Err(Error::Failed(failure))) if is_unique_violation(&failure) => {
                Some(Err(Failure::fault("a conflict that another try does not resolve").from_source(failure).into()))
            }
            other => other,
        };
    }

    pub fn answer(self) {
        if let Some(measures) = self.side.measures() {
            measures.work.record(self.since.elapsed());
        }
        let outcome = self.outcome.unwrap_or_else(|| Err(Failure::fault("queued work was not run").into()));
        let (closure, sent) = (self.closure, self.sent);
        if self.back.send(outcome.map(|_| Done { closure, sent })).is_err() {
            tracing::debug!("nobody is waiting for the database's answer");
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
