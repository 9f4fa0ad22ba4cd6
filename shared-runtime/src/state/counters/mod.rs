//! Rate-limit counters and idempotency marks: in this process, or in Redis with this process as the warm fallback.

mod in_process;
mod in_redis;
mod link;
mod marks;
#[cfg(test)]
mod redis_tests;
mod windows;

use std::{sync::Arc, time::Duration};

use shared_model::Failure;

use crate::base::clock::Clock;

pub use in_process::InProcess;
pub use in_redis::InRedis;

/// Counters and marks.
#[derive(Clone)]
pub enum Counters {
    /// In this process only.
    Local(Arc<InProcess>),
    /// In Redis, shared by all replicas.
    Redis(Arc<InRedis>),
}

/// What is known of a command that carries an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nobody runs it: it is ours now, until [`Counters::release`], [`Counters::done`] or the mark's expiry.
    Ours,
    /// Somebody runs it.
    Running,
    /// It is done; this is what was said to [`Counters::done`].
    Done(String),
}

impl Counters {
    /// Counters and marks of this process alone.
    pub fn local(clock: Clock) -> Self {
        Self::Local(Arc::new(InProcess::new(clock)))
    }

    /// Counters and marks in the Redis at `url`; a URL that is none is a failure. Connects at the first use, not now:
    /// a Redis that is away holds nothing up, neither here nor later.
    pub fn redis(url: &str, clock: Clock) -> Result<Self, Failure> {
        Ok(Self::Redis(Arc::new(InRedis::new(url, link::PATIENCE, clock)?)))
    }

    /// Whether Redis was asked for and is not there, so that this process counts for itself alone.
    pub fn is_degraded(&self) -> bool {
        match self {
            Self::Local(_) => false,
            Self::Redis(redis) => redis.is_away(),
        }
    }

    /// Counts one more request under `key` in this UTC `minute`; the count after it.
    pub async fn count(&self, key: &str, minute: i64) -> u64 {
        match self {
            Self::Local(local) => local.windows.add(key, minute),
            Self::Redis(redis) => redis.count(key, minute).await,
        }
    }

    /// Takes the mark of `key` for `owner` for `ttl`, unless another has it or the command is done. When this future is
    /// dropped half-way, the mark may stay until `ttl`: whoever must not leave one behind awaits it in a task of its own.
    pub async fn mark(&self, key: &str, owner: &str, ttl: Duration) -> Mark {
        match self {
            Self::Local(local) => local.marks.take(key, owner, ttl),
            Self::Redis(redis) => redis.mark(key, owner, ttl).await,
        }
    }

    /// Prolongs the mark while the command runs.
    pub async fn keep(&self, key: &str, owner: &str, ttl: Duration) {
        match self {
            Self::Local(local) => local.marks.keep(key, owner, ttl),
            Self::Redis(redis) => redis.keep(key, owner, ttl).await,
        }
    }

    /// Replaces the mark by the outcome, kept for `ttl`; another's mark stays as it is.
    pub async fn done(&self, key: &str, owner: &str, outcome: String, ttl: Duration) {
        match self {
            Self::Local(local) => local.marks.done(key, owner, outcome, ttl),
            Self::Redis(redis) => redis.done(key, owner, outcome, ttl).await,
        }
    }

    /// Gives the mark up: nothing was done.
    pub async fn release(&self, key: &str, owner: &str) {
        match self {
            Self::Local(local) => local.marks.release(key, owner),
            Self::Redis(redis) => redis.release(key, owner).await,
        }
    }
}
