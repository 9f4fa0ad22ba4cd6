//! The kinds of jobs of a service: handler, lease and attempts.

use std::{fmt, pin::Pin, sync::Arc, time::Duration};

use shared_model::{Error, Timestamp};

use super::{
    lease::{AttemptError, JobEnd, Lease, Settlement},
    store::Job,
};
use crate::{
    context::Context,
    state::db::{Conn, LaneKey},
};

/// Makes the kinds when the service starts.
pub type Jobs = Arc<dyn Fn(&Context) -> Vec<JobKind> + Send + Sync>;

pub fn none() -> Jobs {
    Arc::new(|_| Vec::new())
}

type Running = Pin<Box<dyn Future<Output = Result<Settlement, AttemptError>> + Send>>;
type Run = Arc<dyn Fn(Context, Lease) -> Running + Send + Sync>;
type GiveUp = Arc<dyn Fn(&mut Conn, &Job, Timestamp) -> Result<JobEnd, Error> + Send + Sync>;

#[derive(Clone)]
pub struct JobKind {
    /// In the database and in metrics.
    pub name: &'static str,
    pub(super) lease: Duration,
    pub(super) attempts: u32,
    pub(super) backoff: fn(u32) -> Duration,
    pub(super) lane: fn(&str) -> Option<LaneKey>,
    pub(super) run: Run,
    pub(super) give_up: GiveUp,
}

impl JobKind {
    /// `run` does the work; it can only succeed by settling its lease. `give_up` is the transaction that ends the job
    /// when all attempts have failed. With it, the object it worked for reaches a final state too.
    pub fn new<R>(
        name: &'static str,
        run: impl Fn(Context, Lease) -> R + Send + Sync + 'static,
        give_up: impl Fn(&mut Conn, &Job, Timestamp) -> Result<JobEnd, Error> + Send + Sync + 'static,
    ) -> Self
    where
        R: Future<Output = Result<Settlement, AttemptError>> + Send + 'static,
    {
        Self {
            name,
            lease: Duration::from_secs(30),
            attempts: 3,
            backoff: doubling,
            lane: |_| None,
            run: Arc::new(move |context, lease| Box::pin(run(context, lease))),
            give_up: Arc::new(give_up),
        }
    }

    /// Default 30 s. It is renewed after each third.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// Default 3.
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// The longest pause after this many failed attempts. Default: 2 s, doubled each time, at most 5 min.
    // The actual pause is random, between half of it and all of it. So jobs that failed together do not retry together.
    pub fn backoff(mut self, backoff: fn(u32) -> Duration) -> Self {
        self.backoff = backoff;
        self
    }

    /// The lane of a job's transactions, by its key. Default: none, so they run alone.
    // They follow the rule of `Db::write_in`: they touch only rows of the lane's key, and the row of the job.
    pub fn lane(mut self, lane: fn(&str) -> Option<LaneKey>) -> Self {
        self.lane = lane;
        self
    }
}

impl fmt::Debug for JobKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

fn doubling(failed: u32) -> Duration {
    Duration::from_secs(2_u64.saturating_pow(failed).min(300))
}
