//! What is counted and timed of jobs.

use metrics::{Counter, Histogram};

use crate::base::{
    metrics::{Metric, Metrics},
    telemetry::Stopwatch,
};

const CLAIMED: Metric =
    Metric { name: "jobs_claimed_total", help: "Attempts at jobs that this process began, by kind." };
const ENDED: Metric = Metric { name: "jobs_ended_total", help: "Attempts at jobs that ended here, by kind and end." };
const SECONDS: Metric = Metric { name: "job_seconds", help: "Time that attempts at jobs took, by kind." };

/// How an attempt ends.
const ENDS: [&str; 6] = ["succeeded", "failed", "given_up", "lost", "handed_back", "left"];

/// The measures of one kind of job.
pub(super) struct JobMeasures {
    claimed: Counter,
    ended: [(&'static str, Counter); ENDS.len()],
    seconds: Histogram,
}

impl JobMeasures {
    /// Those of the kind of this name, 0 from the first time on.
    pub(super) fn of(kind: &str, metrics: &Metrics) -> Self {
        Self {
            claimed: metrics.counter(&CLAIMED, &[("kind", kind)]),
            ended: ENDS.map(|end| (end, metrics.counter(&ENDED, &[("kind", kind), ("end", end)]))),
            seconds: metrics.histogram(&SECONDS, &[("kind", kind)]),
        }
    }

    /// An attempt begins.
    pub(super) fn begin(&self) -> Stopwatch {
        self.claimed.increment(1);
        Stopwatch::start()
    }

    /// It has ended like this.
    pub(super) fn ended(&self, end: &str, started: &Stopwatch) {
        self.seconds.record(started.elapsed());
        self.ended.iter().filter(|(known, _)| *known == end).for_each(|(_, counter)| counter.increment(1));
    }
}
