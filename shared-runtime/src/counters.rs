//! Rate-limit counters and idempotency marks: in this process, or in Redis with this process as the warm fallback.

use std::time::Duration;

/// Counters and marks.
#[derive(Clone)]
pub enum Counters {
    /// In this process only.
    Local,
    /// In Redis, shared by all replicas.
    Redis,
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
    /// Counts one more request under `key` in this UTC `minute`; the count after it.
    pub async fn count(&self, _key: &str, _minute: i64) -> u64 {
        0
    }

    /// Takes the mark of `key` for `owner` for `ttl`, unless another has it or the command is done.
    pub async fn mark(&self, _key: &str, _owner: &str, _ttl: Duration) -> Mark {
        Mark::Ours
    }

    /// Prolongs the mark while the command runs.
    pub async fn keep(&self, _key: &str, _owner: &str, _ttl: Duration) {}

    /// Replaces the mark by the outcome, kept for `ttl`.
    pub async fn done(&self, _key: &str, _owner: &str, _outcome: String, _ttl: Duration) {}

    /// Gives the mark up: nothing was done.
    pub async fn release(&self, _key: &str, _owner: &str) {}
}
