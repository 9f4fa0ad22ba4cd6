//! One side of the database, for reads or for writes: what is measured of it, and what is known of its troubles.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

use metrics::{Counter, Histogram};
use shared_model::Failure;

use super::{outage::Outage, overload::Overload};
use crate::base::metrics::{Metric, Metrics};

const WAIT: Metric = Metric {
    name: "database_wait_seconds",
    help: "Time that work waited in the queue before a database thread began it, by side.",
};
const WORK: Metric = Metric {
    name: "database_work_seconds",
    help: "Time from then to its answer, commit and conflicts included, by side.",
};
const REFUSED: Metric = Metric {
    name: "database_refused_total",
    help: "Work that was not begun, because the queue was full or the wait in it too long, by side.",
};

/// What the queues of one side share.
#[derive(Clone)]
pub(super) struct SideState {
    name: &'static str,
    /// That of the whole database.
    pub(super) outage: Arc<Outage>,
    overload: Arc<Overload>,
    /// How often the database has answered.
    answers: Arc<AtomicU64>,
    measures: Arc<OnceLock<SideMeasures>>,
}

/// Where its work is counted and timed.
pub(super) struct SideMeasures {
    pub(super) wait: Histogram,
    pub(super) work: Histogram,
    refused: Counter,
}

impl SideState {
    /// That of the side of this name, `read` or `write`.
    pub(super) fn of(name: &'static str, outage: &Arc<Outage>) -> Self {
        Self {
            name,
            outage: Arc::clone(outage),
            overload: Arc::default(),
            answers: Arc::default(),
            measures: Arc::default(),
        }
    }

    /// Measures its work from now on.
    pub(super) fn measure(&self, metrics: &Metrics) {
        let labels = [("side", self.name)];
        self.measures.get_or_init(|| SideMeasures {
            wait: metrics.histogram(&WAIT, &labels),
            work: metrics.histogram(&WORK, &labels),
            refused: metrics.counter(&REFUSED, &labels),
        });
    }

    pub(super) fn measures(&self) -> Option<&SideMeasures> {
        self.measures.get()
    }

    /// How often the database has answered so far.
    pub(super) fn answers(&self) -> u64 {
        self.answers.load(Ordering::Relaxed)
    }

    /// Work was not begun, because its queue is full.
    pub(super) fn has_no_place(&self) -> Failure {
        self.refused("too much work is queued for the database", true)
    }

    /// Work was not begun in time. If nobody was answered either since there were so many answers, the database is
    /// away.
    pub(super) fn has_no_time(&self, answers: u64) -> Failure {
        self.refused("no database connection was free in time", self.answers() != answers)
    }

    fn refused(&self, why: &'static str, may_answer_others: bool) -> Failure {
        if let Some(measures) = self.measures() {
            measures.refused.increment(1);
        }
        let failure = Failure::unavailable(why);
        if self.outage.is_known() || !may_answer_others {
            return self.outage.trouble(failure);
        }
        self.overload.refused(self.name, why);
        failure.already_logged()
    }

    /// The database has answered somebody.
    pub(super) fn answered(&self) {
        self.answers.fetch_add(1, Ordering::Relaxed);
        self.outage.answered();
        self.overload.answered(self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_in_vain_while_others_are_answered_meets_an_overload_and_no_outage() {
        let side = SideState::of("write", &Arc::default());
        let before = side.answers();
        side.answered();
        assert!(side.has_no_time(before).is_already_logged());
        assert!(side.has_no_place().is_already_logged());
        assert_eq!(side.outage.cause(), None);

        assert!(side.has_no_time(side.answers()).is_already_logged());
        assert_eq!(side.outage.cause().as_deref(), Some("no database connection was free in time"));
    }
}
