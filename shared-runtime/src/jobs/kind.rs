//! The kinds of jobs that a service has: each with its handler, its lease and its attempts.

use std::{fmt, pin::Pin, sync::Arc, time::Duration};

use shared_model::{Error, Timestamp};

use super::{
    lease::{End, Interrupted, Lease, Settled},
    store::Job,
};
use crate::{context::Context, state::db::Conn};

/// Makes a service's kinds of jobs when it starts.
pub type Jobs = Arc<dyn Fn(&Context) -> Vec<JobKind> + Send + Sync>;

/// A service without jobs.
pub fn none() -> Jobs {
    Arc::new(|_| Vec::new())
}

type Running = Pin<Box<dyn Future<Output = Result<Settled, Interrupted>> + Send>>;
type Run = Arc<dyn Fn(Context, Lease) -> Running + Send + Sync>;
type GiveUp = Arc<dyn Fn(&mut Conn, &Job, Timestamp) -> Result<End, Error> + Send + Sync>;

/// One kind of job.
#[derive(Clone)]
pub struct JobKind {
    /// Its name in the database and in metrics.
    pub name: &'static str,
    pub(super) lease: Duration,
    pub(super) attempts: u32,
    pub(super) backoff: fn(u32) -> Duration,
    pub(super) run: Run,
    pub(super) give_up: GiveUp,
}

impl JobKind {
    /// A kind of job. `run` carries it out, and can only succeed by settling its lease. `give_up` is the transaction that
    /// ends it when all attempts have failed, so that what the job was for reaches a final state too.
    pub fn new<R>(
        name: &'static str,
        run: impl Fn(Context, Lease) -> R + Send + Sync + 'static,
        give_up: impl Fn(&mut Conn, &Job, Timestamp) -> Result<End, Error> + Send + Sync + 'static,
    ) -> Self
    where
        R: Future<Output = Result<Settled, Interrupted>> + Send + 'static,
    {
        Self {
            name,
            lease: Duration::from_secs(30),
            attempts: 3,
            backoff: doubling,
            run: Arc::new(move |context, lease| Box::pin(run(context, lease))),
            give_up: Arc::new(give_up),
        }
    }

    /// Lease duration (default 30 s), renewed every third of it.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// Attempts before it is given up (default 3).
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// The longest pause after so many failed attempts; the pause is random, at least half of it. Default: 2 s, doubled
    /// each time, at most 5 min.
    pub fn backoff(mut self, backoff: fn(u32) -> Duration) -> Self {
        self.backoff = backoff;
        self
    }
}

impl fmt::Debug for JobKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// 2 s, 4 s, 8 s, …, 5 min.
fn doubling(failed: u32) -> Duration {
    Duration::from_secs(2_u64.saturating_pow(failed).min(300))
}
