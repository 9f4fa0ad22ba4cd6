//! The locks of one service: in Redis for all replicas, with those of this process always beside them.

use std::time::Duration;

use super::{local_locks::LocalLocks, redis_locks::RedisLocks, status::InFlight};
use crate::{base::clock::Clock, state::redis_link::RedisLink};

/// The in-flight locks of one service. `key` names a command, `owner` the request that carries it out.
pub struct InFlightLocks {
    local: LocalLocks,
    redis: Option<RedisLocks>,
}

impl InFlightLocks {
    /// The locks of this process, and with `redis` those of all replicas.
    pub fn new(clock: Clock, redis: Option<RedisLink>) -> Self {
        Self { local: LocalLocks::new(clock.clone()), redis: redis.map(|link| RedisLocks::new(link, clock)) }
    }

    /// Takes the lock for `ttl`, unless another owner has it or the command is done. When this future is dropped half-way,
    /// the lock may stay until `ttl`.
    pub async fn acquire(&self, key: &str, owner: &str, ttl: Duration) -> InFlight {
        // The lock of this process first: it needs no journey, and it excludes duplicates here even while Redis is away.
        let local = self.local.acquire(key, owner, ttl);
        let (InFlight::Acquired, Some(redis)) = (&local, &self.redis) else { return local };
        let shared = redis.acquire(key, owner, ttl).await;
        if shared != InFlight::Acquired {
            self.local.release(key, owner);
        }
        shared
    }

    /// Whether somebody carries the command out now. Takes no lock.
    pub async fn is_running(&self, key: &str) -> bool {
        match &self.redis {
            _ if self.local.is_running(key) => true,
            Some(redis) => redis.is_running(key).await,
            None => false,
        }
    }

    /// Prolongs the owner's lock.
    pub async fn extend(&self, key: &str, owner: &str, ttl: Duration) {
        self.local.extend(key, owner, ttl);
        if let Some(redis) = &self.redis {
            redis.extend(key, owner, ttl).await;
        }
    }

    /// Replaces the owner's lock by the mark that the command is done, for `ttl`. Another owner's lock stays.
    pub async fn complete(&self, key: &str, owner: &str, ttl: Duration) {
        self.local.complete(key, owner, ttl);
        if let Some(redis) = &self.redis {
            redis.complete(key, owner, ttl).await;
        }
    }

    /// Gives the owner's lock up: the command was not carried out.
    pub async fn release(&self, key: &str, owner: &str) {
        self.local.release(key, owner);
        if let Some(redis) = &self.redis {
            redis.release(key, owner).await;
        }
    }
}
