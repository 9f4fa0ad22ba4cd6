//! The present outage of a database. Its begin (with the cause) and its end are logged once. Requests that fail because
//! of it are marked ([`Failure::is_already_logged`]) and write no log line.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use diesel::result::Error as DieselError;
use shared_model::Failure;
use tokio::time::Instant;

/// An outage ends after this long without a failed wait. A database that answers only now and then is still in trouble.
pub const RECOVERY_PERIOD: Duration = Duration::from_secs(5);

/// Shared by both sides: while one side gets its connections back, the other waits for its own and does not refuse.
#[derive(Debug, Default)]
pub struct Outage {
    // A copy of `logged.is_some()`: every answer asks for it, and must not wait for the mutex.
    is_ongoing: AtomicBool,
    state: Mutex<OutageState>,
}

#[derive(Debug, Default)]
struct OutageState {
    /// Why the last attempt to connect failed. r2d2 keeps trying.
    connect_error: Option<String>,
    logged: Option<LoggedOutage>,
    /// When work last failed because of the database as a whole.
    failed_at: Option<Instant>,
}

#[derive(Debug)]
struct LoggedOutage {
    since: Instant,
    cause: String,
    evidence: Evidence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// Work waited too long. This does not tell the cause.
    FailedWork,
    /// No connection can be made. This tells the cause.
    NoConnection,
}

impl Outage {
    pub fn note_attempt(&self, failure: Option<&Failure>) {
        // The usual case takes no lock.
        if failure.is_none() && !self.is_ongoing() {
            return;
        }
        let mut state = self.state();
        state.connect_error = failure.map(ToString::to_string);
        match state.connect_error.clone() {
            Some(cause) => self.begin(&mut state, cause, Evidence::NoConnection),
            None => self.end_if_recovered(&mut state),
        }
    }

    pub fn is_ongoing(&self) -> bool {
        self.is_ongoing.load(Ordering::Acquire)
    }

    /// The error of the last attempt to connect, while there is an outage.
    pub fn connect_error(&self) -> Option<String> {
        if !self.is_ongoing() {
            return None;
        }
        self.state().connect_error.clone()
    }

    /// Records a failure that all other work meets as well; returns it marked as logged.
    pub fn record_failure(&self, failure: Failure) -> Failure {
        let mut state = self.state();
        state.failed_at = Some(Instant::now());
        self.begin(&mut state, failure.to_string(), Evidence::FailedWork);
        failure.already_logged()
    }

    /// Call it after each answer of the database.
    pub fn answered(&self) {
        if !self.is_ongoing() {
            return;
        }
        self.end_if_recovered(&mut self.state());
    }

    /// The cause as it was logged.
    pub fn cause(&self) -> Option<String> {
        self.state().logged.as_ref().map(|logged| logged.cause.clone())
    }

    fn begin(&self, state: &mut OutageState, cause: String, evidence: Evidence) {
        let since = match &state.logged {
            None => Instant::now(),
            // The cause is now known: log it in place of the symptom, but keep the time at which the outage began.
            Some(logged) if (logged.evidence, evidence) == (Evidence::FailedWork, Evidence::NoConnection) => {
                logged.since
            }
            Some(_) => return,
        };
        tracing::error!(
            cause,
            "the database is not available: requests that need it are answered 503, and not logged each, until it is"
        );
        state.logged = Some(LoggedOutage { since, cause, evidence });
        self.is_ongoing.store(true, Ordering::Release);
    }

    fn end_if_recovered(&self, state: &mut OutageState) {
        if state.connect_error.is_some() || state.failed_at.is_some_and(|at| at.elapsed() < RECOVERY_PERIOD) {
            return;
        }
        if let Some(logged) = state.logged.take() {
            tracing::info!(seconds = logged.since.elapsed().as_secs_f64(), "the database is available again");
            self.is_ongoing.store(false, Ordering::Release);
        }
    }

    fn state(&self) -> MutexGuard<'_, OutageState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// True for errors that concern the whole SQLite file: locked by another process, disk full, unreadable.
pub fn affects_all_work(failure: &Failure) -> bool {
    use std::error::Error as _;
    let error = failure.source().and_then(|error| error.downcast_ref());
    matches!(error, Some(DieselError::DatabaseError(_, about)) if matches!(
        about.message(),
        "database is locked" | "database or disk is full" | "disk I/O error" | "unable to open database file"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::db::tests::log::log_of;

    #[test]
    fn an_outage_ends_with_an_answer_after_the_recovery_period() {
        let outage = Outage::default();
        assert!(outage.record_failure(Failure::unavailable("no answer")).is_already_logged());
        assert_eq!(outage.cause().as_deref(), Some("no answer"));
        outage.record_failure(Failure::unavailable("another"));
        outage.answered();
        assert_eq!(
            outage.cause().as_deref(),
            Some("no answer"),
            "one answer is no recovery, and the first cause stays"
        );
        outage.state().failed_at = Instant::now().checked_sub(RECOVERY_PERIOD);
        outage.answered();
        assert_eq!(outage.cause(), None);
    }

    #[test]
    fn the_error_of_connecting_replaces_a_mere_timeout_as_the_cause() {
        let outage = Outage::default();
        let log = log_of(|| {
            outage.record_failure(Failure::unavailable("no answer"));
            outage.note_attempt(Some(&Failure::unavailable("refused")));
            outage.note_attempt(Some(&Failure::unavailable("refused again")));
            outage.record_failure(Failure::unavailable("no answer"));
        });
        assert_eq!(outage.cause().as_deref(), Some("refused"));
        assert_eq!(log.len(), 2, "{log:?}");
        assert!(log[0].contains("ERROR") && log[0].contains("cause=\"no answer\""), "{log:?}");
        assert!(log[1].contains("ERROR") && log[1].contains("cause=\"refused\""), "{log:?}");
    }

    #[test]
    fn a_new_connection_ends_it_but_an_answer_on_an_old_one_does_not() {
        let outage = Outage::default();
        outage.note_attempt(Some(&Failure::unavailable("refused")));
        outage.answered();
        assert_eq!(outage.connect_error().as_deref(), Some("refused"));
        outage.note_attempt(None);
        assert_eq!((outage.connect_error(), outage.cause()), (None, None));
    }
}
