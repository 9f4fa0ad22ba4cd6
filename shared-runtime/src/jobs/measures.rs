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

shared_model::text_enum! {
    /// How an attempt at a job ends.
    pub enum AttemptEnd {
        /// The job is done.
        Succeeded = "succeeded",
        /// Another attempt follows.
        Failed = "failed",
        /// No other follows.
        GivenUp = "given_up",
        /// The job is another worker's.
        Lost = "lost",
        /// The worker was stopped; the next may begin at once.
        HandedBack = "handed_back",
        /// The worker was stopped; the next may begin when the lease has expired.
        Left = "left",
    }
}

/// The measures of one kind of job.
pub(super) struct JobMeasures {
    claimed: Counter,
    /// In the order of [`AttemptEnd::ALL`].
    ended: Vec<Counter>,
    seconds: Histogram,
}

impl JobMeasures {
    /// Those of the kind of this name, 0 from the first time on.
    pub(super) fn of(kind: &str, metrics: &Metrics) -> Self {
        let ended = |(end, _): &(&str, AttemptEnd)| metrics.counter(&ENDED, &[("kind", kind), ("end", end)]);
        Self {
            claimed: metrics.counter(&CLAIMED, &[("kind", kind)]),
            ended: AttemptEnd::ALL.iter().map(ended).collect(),
            seconds: metrics.histogram(&SECONDS, &[("kind", kind)]),
        }
    }

    /// An attempt begins.
    pub(super) fn begin(&self) -> Stopwatch {
        self.claimed.increment(1);
        Stopwatch::start()
    }

    /// It has ended like this.
    pub(super) fn ended(&self, end: AttemptEnd, started: &Stopwatch) {
        self.seconds.record(started.elapsed());
        self.ended[end as usize].increment(1);
    }
}
