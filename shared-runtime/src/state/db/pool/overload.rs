//! The present overload of one side: work arrives faster than the database finishes it. One busy tenant can cause it
//! while most requests succeed, so it is not an outage. Its begin and its end are logged once.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use tokio::time::Instant;

use super::outage::RECOVERY_PERIOD;

#[derive(Debug, Default)]
pub struct Overload {
    // A copy of `state.is_some()`: every answer asks for it, and must not wait for the mutex.
    is_ongoing: AtomicBool,
    state: Mutex<Option<OverloadState>>,
}

#[derive(Debug)]
struct OverloadState {
    since: Instant,
    last_at: Instant,
    refused: u64,
}

impl Overload {
    /// Records work that was refused.
    pub fn refused(&self, side: &str, why: &'static str) {
        let now = Instant::now();
        let mut state = self.state();
        let state = state.get_or_insert_with(|| {
            tracing::error!(
                side,
                why,
                "the database does not keep up: work that finds its queue full, or waits too long in it, gets 503; \
                 further refusals are not logged"
            );
            self.is_ongoing.store(true, Ordering::Release);
            OverloadState { since: now, last_at: now, refused: 0 }
        });
        state.last_at = now;
        state.refused += 1;
    }

    pub fn answered(&self, side: &str) {
        if !self.is_ongoing.load(Ordering::Acquire) {
            return;
        }
        if let Some(over) = self.state().take_if(|state| state.last_at.elapsed() >= RECOVERY_PERIOD) {
            self.is_ongoing.store(false, Ordering::Release);
            let seconds = over.since.elapsed().as_secs_f64();
            tracing::info!(side, seconds, refused = over.refused, "the database keeps up again");
        }
    }

    fn state(&self) -> MutexGuard<'_, Option<OverloadState>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::db::tests::log::log_of;

    #[test]
    fn its_begin_and_its_end_are_logged() {
        let overload = Overload::default();
        let log = log_of(|| {
            overload.refused("write", "full");
            overload.refused("write", "full");
            overload.answered("write");
            overload.refused("write", "full");
        });
        assert_eq!(log.len(), 1, "{log:?}");
        assert!(log[0].contains("ERROR") && log[0].contains("why=\"full\""), "{log:?}");
        overload.state().as_mut().expect("an overload").last_at =
            Instant::now().checked_sub(RECOVERY_PERIOD).expect("a past");
        let log = log_of(|| {
            overload.answered("write");
            overload.answered("write");
        });
        assert_eq!(log.len(), 1, "{log:?}");
        assert!(log[0].contains("INFO") && log[0].contains("refused=3"), "{log:?}");
    }
}
