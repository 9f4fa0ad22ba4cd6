//! The in-flight locks of one service: those of this process, and those in Redis for all replicas.

use std::time::Duration;

use super::{local_locks::LocalLocks, lock_outcome::LockOutcome, redis_locks::RedisLocks};
use crate::{base::clock::Clock, state::redis_link::RedisLink};

/// `key` names a command, `owner` the request that runs it.
pub struct InFlightLocks {
    local: LocalLocks,
    redis: Option<RedisLocks>,
}

impl InFlightLocks {
    pub fn new(clock: Clock, redis: Option<RedisLink>) -> Self {
        Self { local: LocalLocks::new(clock.clone()), redis: redis.map(|link| RedisLocks::new(link, clock)) }
    }

    /// Takes the lock for `ttl`, unless another owner has it or the command is done. If this future is dropped midway,
    /// the lock may stay for `ttl`.
    pub async fn acquire(&self, key: &str, owner: &str, ttl: Duration) -> LockOutcome {
        // The local lock first: it needs no round trip, and it stops duplicates in this process while Redis is away.
        let local = self.local.acquire(key, owner, ttl);
        let (LockOutcome::Acquired, Some(redis)) = (&local, &self.redis) else { return local };
        let shared = redis.acquire(key, owner, ttl).await;
        if shared != LockOutcome::Acquired {
            self.local.release(key, owner);
        }
        shared
    }

    /// True while another request runs the command. Takes no lock.
    pub async fn is_running(&self, key: &str) -> bool {
        match &self.redis {
            _ if self.local.is_running(key) => true,
            Some(redis) => redis.is_running(key).await,
            None => false,
        }
    }

    pub async fn extend(&self, key: &str, owner: &str, ttl: Duration) {
        self.local.extend(key, owner, ttl);
        if let Some(redis) = &self.redis {
            redis.extend(key, owner, ttl).await;
        }
    }

    /// Replaces the owner's lock by a mark for `ttl` that the command is done. Another owner's lock stays.
    pub async fn complete(&self, key: &str, owner: &str, ttl: Duration) {
        self.local.complete(key, owner, ttl);
        if let Some(redis) = &self.redis {
            redis.complete(key, owner, ttl).await;
        }
    }

    pub async fn release(&self, key: &str, owner: &str) {
        self.local.release(key, owner);
        if let Some(redis) = &self.redis {
            redis.release(key, owner).await;
        }
    }
}
