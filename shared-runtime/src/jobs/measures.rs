//! Metrics of jobs.

use metrics::{Counter, Histogram};

use crate::base::{
    metrics::{Metric, Metrics},
    telemetry::Stopwatch,
};

const CLAIMED: Metric = Metric::counter("jobs_claimed_total", &["kind"], "Attempts at jobs that this process began.");
const ENDED: Metric = Metric::counter(
    "jobs_ended_total",
    &["kind", "end"],
    "Attempts at jobs that ended here. `lost`: the lease ran out under a living worker. `left`: a stop could not hand the job back.",
);
const SECONDS: Metric = Metric::histogram("job_seconds", &["kind"], "Time that attempts at jobs took.");

pub const METRICS: [&Metric; 3] = [&CLAIMED, &ENDED, &SECONDS];

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
