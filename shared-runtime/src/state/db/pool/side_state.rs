//! Metrics, outage and overload of one side of the database: reads or writes.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

use metrics::{Counter, Histogram};
use shared_model::Failure;

use super::{outage::Outage, overload::Overload};
use crate::base::metrics::{Metric, Metrics};

pub const WAIT: Metric = Metric::histogram(
    "database_wait_seconds",
    &["side"],
    "Time that work waited in the queue before a database thread began it. After 5 s it is refused.",
);
pub const WORK: Metric = Metric::histogram(
    "database_work_seconds",
    &["side"],
    "Time from the beginning of work to its answer, commit and conflicts included.",
);
pub const REFUSED: Metric = Metric::counter(
    "database_refused_total",
    &["side"],
    "Work that was not begun, because the queue was full or the wait in it too long. Its answer is 503.",
);

/// Shared by all queues of one side.
#[derive(Clone)]
pub struct SideState {
    name: &'static str,
    pub outage: Arc<Outage>,
    overload: Arc<Overload>,
    answers: Arc<AtomicU64>,
    measures: Arc<OnceLock<SideMetrics>>,
}

pub struct SideMetrics {
    pub wait: Histogram,
    pub work: Histogram,
    refused: Counter,
}

impl SideState {
    /// `name` is the metric label: `read` or `write`.
    pub fn new(name: &'static str, outage: &Arc<Outage>) -> Self {
        Self {
            name,
            outage: Arc::clone(outage),
            overload: Arc::default(),
            answers: Arc::default(),
            measures: Arc::default(),
        }
    }

    pub fn measure(&self, metrics: &Metrics) {
        let labels = [("side", self.name)];
        self.measures.get_or_init(|| SideMetrics {
            wait: metrics.histogram(&WAIT, &labels),
            work: metrics.histogram(&WORK, &labels),
            refused: metrics.counter(&REFUSED, &labels),
        });
    }

    pub fn measures(&self) -> Option<&SideMetrics> {
        self.measures.get()
    }

    pub fn answers(&self) -> u64 {
        self.answers.load(Ordering::Relaxed)
    }

    pub fn queue_full(&self) -> Failure {
        self.refused("too much work is queued for the database", true)
    }

    /// The failure for work that waited too long. `answers` is the count when it was queued.
    pub fn wait_timed_out(&self, answers: u64) -> Failure {
        // Unchanged count: nobody was answered meanwhile, so this is an outage and not only an overload.
        self.refused("no database connection was free in time", self.answers() != answers)
    }

    fn refused(&self, why: &'static str, may_answer_others: bool) -> Failure {
        if let Some(measures) = self.measures() {
            measures.refused.increment(1);
        }
        let failure = Failure::unavailable(why);
        if self.outage.is_ongoing() || !may_answer_others {
            return self.outage.record_failure(failure);
        }
        self.overload.refused(self.name, why);
        failure.already_logged()
    }

    pub fn answered(&self) {
        self.answers.fetch_add(1, Ordering::Relaxed);
        self.outage.answered();
        self.overload.answered(self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_while_others_are_answered_is_an_overload_and_not_an_outage() {
        let side = SideState::new("write", &Arc::default());
        let before = side.answers();
        side.answered();
        assert!(side.wait_timed_out(before).is_already_logged());
        assert!(side.queue_full().is_already_logged());
        assert_eq!(side.outage.cause(), None);

        assert!(side.wait_timed_out(side.answers()).is_already_logged());
        assert_eq!(side.outage.cause().as_deref(), Some("no database connection was free in time"));
    }
}
