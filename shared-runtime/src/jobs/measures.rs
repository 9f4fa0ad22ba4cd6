//! Metrics of jobs.

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
    /// How an attempt ends.
    pub enum AttemptEnd {
        Succeeded = "succeeded",
        Failed = "failed",
        /// It was the last attempt.
        GivenUp = "given_up",
        /// Another worker has the job.
        Lost = "lost",
        /// The worker was stopped; another worker can start immediately.
        HandedBack = "handed_back",
        /// The worker was stopped; another worker can start when the lease has expired.
        Left = "left",
    }
}

pub(super) struct JobMeasures {
    claimed: Counter,
    /// In the order of [`AttemptEnd::ALL`].
    ended: Vec<Counter>,
    seconds: Histogram,
}

impl JobMeasures {
    /// Every series exists from now on, as 0.
    pub(super) fn for_kind(kind: &str, metrics: &Metrics) -> Self {
        let ended = |(end, _): &(&str, AttemptEnd)| metrics.counter(&ENDED, &[("kind", kind), ("end", end)]);
        Self {
            claimed: metrics.counter(&CLAIMED, &[("kind", kind)]),
            ended: AttemptEnd::ALL.iter().map(ended).collect(),
            seconds: metrics.histogram(&SECONDS, &[("kind", kind)]),
        }
    }

    pub(super) fn begin(&self) -> Stopwatch {
        self.claimed.increment(1);
        Stopwatch::start()
    }

    pub(super) fn ended(&self, end: AttemptEnd, started: &Stopwatch) {
        self.seconds.record(started.elapsed());
        self.ended[end as usize].increment(1);
    }
}
