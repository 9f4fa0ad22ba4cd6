//! A piece of work on its way to a database thread and its answer on the way back.

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

use crate::state::db::Conn;

/// How one run of a job ended; the outcome itself stays in the job until it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It succeeded: commit.
    Done,
    /// It was refused or it failed for good: roll back.
    Halted,
    /// It lost a race: roll back and run it again.
    Conflict {
        /// On a unique key, which may be a race in disguise or a fault of ours.
        unique: bool,
    },
    /// The database went away under it.
    Lost,
    /// It panicked: roll back and trust the connection no more.
    Panicked,
}

/// Work that a database thread can do without knowing its type.
pub(super) trait Job: Send {
    /// Whether somebody still waits; from now on they wait until it is answered.
    fn claim(&self) -> bool;
    /// Runs it once and keeps the outcome.
    fn run(&mut self, conn: &mut Conn) -> Verdict;
    /// Replaces the outcome: what was done is undone.
    fn spoil(&mut self, failure: Failure);
    /// Makes a conflict that will not go away a fault.
    fn give_up(&mut self);
    /// Sends the outcome.
    fn answer(self: Box<Self>);
}

/// A transaction or query with the way back to whoever asked.
pub(super) struct Task<T, F> {
    work: F,
    outcome: Option<Result<T, Error>>,
    back: oneshot::Sender<Result<T, Error>>,
    claimed: Arc<AtomicBool>,
}

/// Where the answer of a [`Task`] arrives.
pub(super) struct Ticket<T> {
    /// The way back.
    pub(super) answer: oneshot::Receiver<Result<T, Error>>,
    /// Set by whichever is first: the thread that begins, or the caller who gives up.
    pub(super) claimed: Arc<AtomicBool>,
}

impl<T, F> Task<T, F>
where
    T: Send + 'static,
    F: Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
{
    /// A job and the ticket for its answer.
    pub(super) fn job(work: F) -> (Box<dyn Job>, Ticket<T>) {
        let (back, answer) = oneshot::channel();
        let claimed = Arc::new(AtomicBool::new(false));
        let ticket = Ticket { answer, claimed: Arc::clone(&claimed) };
        (Box::new(Self { work, outcome: None, back, claimed }), ticket)
    }
}

impl<T, F> Job for Task<T, F>
where
    T: Send + 'static,
    F: Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
{
    fn claim(&self) -> bool {
        !self.back.is_closed() && !self.claimed.swap(true, Ordering::AcqRel)
    }

    fn run(&mut self, conn: &mut Conn) -> Verdict {
        let ran = catch_unwind(AssertUnwindSafe(|| (self.work)(conn)));
        let panicked = ran.is_err();
        let outcome = ran.unwrap_or_else(|panic| Err(Failure::fault(words(&*panic)).into()));
        let verdict = if panicked { Verdict::Panicked } else { judge(&outcome) };
        self.outcome = Some(outcome);
        verdict
    }

    fn spoil(&mut self, failure: Failure) {
        self.outcome = Some(Err(failure.into()));
    }

    fn give_up(&mut self) {
        self.outcome = match self.outcome.take() {
            Some(Err(Error::Failed(failure))) if failure.kind() == Kind::Conflict => {
                Some(Err(Failure::fault("a conflict that another try does not resolve").from_source(failure).into()))
            }
            other => other,
        };
    }

    fn answer(self: Box<Self>) {
        let outcome = self.outcome.unwrap_or_else(|| Err(Failure::fault("a job was not run").into()));
        if self.back.send(outcome).is_err() {
            tracing::debug!("nobody waits any more for an answer of the database");
        }
    }
}

fn judge<T>(outcome: &Result<T, Error>) -> Verdict {
    match outcome {
        Ok(_) => Verdict::Done,
        Err(Error::Refused(_)) => Verdict::Halted,
        Err(Error::Failed(failure)) => match failure.kind() {
            Kind::Fault => Verdict::Halted,
            Kind::Unavailable => Verdict::Lost,
            Kind::Conflict => Verdict::Conflict { unique: is_unique_violation(failure) },
        },
    }
}

/// Whether a failure comes of a unique key.
pub(super) fn is_unique_violation(failure: &Failure) -> bool {
    let source = failure.source().and_then(|source| source.downcast_ref::<DieselError>());
    matches!(source, Some(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _)))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a transaction panicked: {}", text.unwrap_or("without words"))
}
