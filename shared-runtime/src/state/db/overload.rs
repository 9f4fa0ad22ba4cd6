//! What is known of one side's overload: work comes faster than the database does it. One busy tenant can cause that,
//! and most requests may be answered meanwhile, so it is no outage. Its beginning is logged, and its end.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use tokio::time::Instant;

use super::outage::CALM;

/// The overload of one side.
#[derive(Debug, Default)]
pub(super) struct Overload {
    /// Whether there is one, for those who must not wait for a lock.
    is_known: AtomicBool,
    known: Mutex<Option<Known>>,
}

#[derive(Debug)]
struct Known {
    since: Instant,
    last_at: Instant,
    refused: u64,
}

impl Overload {
    /// Work of this side was not begun.
    pub(super) fn refused(&self, side: &str, why: &'static str) {
        let now = Instant::now();
        let mut known = self.known();
        let known = known.get_or_insert_with(|| {
            tracing::error!(
                side,
                why,
                "the database does not keep up: what finds no place or no time in its queue is answered 503, and not \
                 logged each, until it does"
            );
            self.is_known.store(true, Ordering::Release);
            Known { since: now, last_at: now, refused: 0 }
        });
        known.last_at = now;
        known.refused += 1;
    }

    /// The database has answered somebody.
    pub(super) fn answered(&self, side: &str) {
        if !self.is_known.load(Ordering::Acquire) {
            return;
        }
        if let Some(over) = self.known().take_if(|known| known.last_at.elapsed() >= CALM) {
            self.is_known.store(false, Ordering::Release);
            let seconds = over.since.elapsed().as_secs_f64();
            tracing::info!(side, seconds, refused = over.refused, "the database keeps up again");
        }
    }

    fn known(&self) -> MutexGuard<'_, Option<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::db::tests::log::log_of;

    #[test]
    fn it_is_logged_when_it_begins_and_when_nobody_was_refused_for_a_while() {
        let overload = Overload::default();
        let log = log_of(|| {
            overload.refused("write", "full");
            overload.refused("write", "full");
            overload.answered("write");
            overload.refused("write", "full");
        });
        assert_eq!(log.len(), 1, "{log:?}");
        assert!(log[0].contains("ERROR") && log[0].contains("why=\"full\""), "{log:?}");
        overload.known().as_mut().expect("an overload").last_at = Instant::now().checked_sub(CALM).expect("a past");
        let log = log_of(|| {
            overload.answered("write");
            overload.answered("write");
        });
        assert_eq!(log.len(), 1, "{log:?}");
        assert!(log[0].contains("INFO") && log[0].contains("refused=3"), "{log:?}");
    }
}
