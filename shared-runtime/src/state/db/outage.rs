//! What is known of the database's outage. Its beginning is logged with its cause, and its end; requests that fail
//! because of it meanwhile say so ([`Failure::is_already_logged`]) and write no line of their own.

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

/// How long nobody may have waited in vain before trouble is over: a database that answers now and then is in trouble
/// still.
pub(super) const CALM: Duration = Duration::from_secs(5);

/// The outage of one database, shared by both its sides: when one has it back, the other waits for its connection and
/// does not refuse.
#[derive(Debug, Default)]
pub(super) struct Outage {
    /// Whether there is one, for those who must not wait for a lock.
    is_known: AtomicBool,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Why the last attempt to connect failed; r2d2 goes on trying.
    no_connection: Option<String>,
    logged: Option<Logged>,
    /// When somebody last waited in vain.
    trouble_at: Option<Instant>,
}

/// An outage as the log has it.
#[derive(Debug)]
struct Logged {
    since: Instant,
    cause: String,
    sign: Sign,
}

/// By what an outage was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// Somebody waited in vain: this does not say why.
    Trouble,
    /// No connection can be made: this does.
    NoConnection,
}

impl Outage {
    /// An attempt to connect has ended.
    pub(super) fn note_attempt(&self, failure: Option<&Failure>) {
        if failure.is_none() && !self.is_known() {
            return;
        }
        let mut known = self.known();
        known.no_connection = failure.map(ToString::to_string);
        match known.no_connection.clone() {
            Some(cause) => self.begin(&mut known, cause, Sign::NoConnection),
            None => self.end_if_calm(&mut known),
        }
    }

    /// Whether there is one now.
    pub(super) fn is_known(&self) -> bool {
        self.is_known.load(Ordering::Acquire)
    }

    /// Why no connection can be made now.
    pub(super) fn no_connection(&self) -> Option<String> {
        if !self.is_known() {
            return None;
        }
        self.known().no_connection.clone()
    }

    /// Somebody has waited in vain, or met an error that all others meet as well: the failure is a part of the outage.
    pub(super) fn trouble(&self, failure: Failure) -> Failure {
        let mut known = self.known();
        known.trouble_at = Some(Instant::now());
        self.begin(&mut known, failure.to_string(), Sign::Trouble);
        failure.already_logged()
    }

    /// The database has answered somebody.
    pub(super) fn answered(&self) {
        if !self.is_known() {
            return;
        }
        self.end_if_calm(&mut self.known());
    }

    /// Why the database is away, as the log has it.
    pub(super) fn cause(&self) -> Option<String> {
        self.known().logged.as_ref().map(|logged| logged.cause.clone())
    }

    fn begin(&self, known: &mut Known, cause: String, sign: Sign) {
        let since = match &known.logged {
            None => Instant::now(),
            Some(logged) if (logged.sign, sign) == (Sign::Trouble, Sign::NoConnection) => logged.since,
            Some(_) => return,
        };
        tracing::error!(
            cause,
            "the database is not available: requests that need it are answered 503, and not logged each, until it is"
        );
        known.logged = Some(Logged { since, cause, sign });
        self.is_known.store(true, Ordering::Release);
    }

    fn end_if_calm(&self, known: &mut Known) {
        if known.no_connection.is_some() || known.trouble_at.is_some_and(|at| at.elapsed() < CALM) {
            return;
        }
        if let Some(logged) = known.logged.take() {
            tracing::info!(seconds = logged.since.elapsed().as_secs_f64(), "the database is available again");
            self.is_known.store(false, Ordering::Release);
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a failure is the whole database's: a SQLite file that others hold locked, or whose disk is full or cannot be
/// read.
pub(super) fn is_of_all(failure: &Failure) -> bool {
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
    fn trouble_ends_with_an_answer_after_a_calm() {
        let outage = Outage::default();
        assert!(outage.trouble(Failure::unavailable("no answer")).is_already_logged());
        assert_eq!(outage.cause().as_deref(), Some("no answer"));
        outage.trouble(Failure::unavailable("another"));
        outage.answered();
        assert_eq!(
            outage.cause().as_deref(),
            Some("no answer"),
            "one answer is no recovery, and the first cause stays"
        );
        outage.known().trouble_at = Instant::now().checked_sub(CALM);
        outage.answered();
        assert_eq!(outage.cause(), None);
    }

    #[test]
    fn why_no_connection_can_be_made_replaces_what_whoever_waited_in_vain_could_say() {
        let outage = Outage::default();
        let log = log_of(|| {
            outage.trouble(Failure::unavailable("no answer"));
            outage.note_attempt(Some(&Failure::unavailable("refused")));
            outage.note_attempt(Some(&Failure::unavailable("refused again")));
            outage.trouble(Failure::unavailable("no answer"));
        });
        assert_eq!(outage.cause().as_deref(), Some("refused"));
        assert_eq!(log.len(), 2, "{log:?}");
        assert!(log[0].contains("ERROR") && log[0].contains("cause=\"no answer\""), "{log:?}");
        assert!(log[1].contains("ERROR") && log[1].contains("cause=\"refused\""), "{log:?}");
    }

    #[test]
    fn a_connection_ends_it_and_an_answer_on_an_old_one_does_not() {
        let outage = Outage::default();
        outage.note_attempt(Some(&Failure::unavailable("refused")));
        outage.answered();
        assert_eq!(outage.no_connection().as_deref(), Some("refused"));
        outage.note_attempt(None);
        assert_eq!((outage.no_connection(), outage.cause()), (None, None));
    }
}
