//! What is timed of the database's work, and what is known of its outage: shared by the queues of one side.

use std::sync::{Arc, OnceLock};

use metrics::Histogram;

use super::outage::Outage;
use crate::base::metrics::{Metric, Metrics};

const WAIT: Metric = Metric {
    name: "database_wait_seconds",
    help: "Time that work waited in the queue before a database thread began it, by side.",
};
const WORK: Metric = Metric {
    name: "database_work_seconds",
    help: "Time from then to its answer, commit and conflicts included, by side.",
};

/// What the queues of one side of a database share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) outage: Arc<Outage>,
    times: Arc<OnceLock<Times>>,
}

/// Where times are recorded.
pub(super) struct Times {
    pub(super) wait: Histogram,
    pub(super) work: Histogram,
}

impl Shared {
    pub(super) fn with(outage: &Arc<Outage>) -> Self {
        Self { outage: Arc::clone(outage), times: Arc::default() }
    }

    /// Records the times of this side from now on.
    pub(super) fn measure(&self, side: &str, metrics: &Metrics) {
        let labels = [("side", side)];
        self.times
            .get_or_init(|| Times { wait: metrics.histogram(&WAIT, &labels), work: metrics.histogram(&WORK, &labels) });
    }

    pub(super) fn times(&self) -> Option<&Times> {
        self.times.get()
    }
}
