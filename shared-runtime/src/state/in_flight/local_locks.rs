//! In-flight locks and marks of this process, in bounded memory.

use std::time::Duration;

use moka::{ops::compute::Op, policy::EvictionPolicy, sync::Cache};
use shared_model::Timestamp;

use super::lock_outcome::LockOutcome;
use crate::base::clock::Clock;

// The least recently used lock is dropped first.
const MAX_LOCKS: u64 = 16_384;
// Fewer than locks: a lost mark costs only a query. The least recently used is dropped first.
const MAX_MARKS: u64 = 4_096;

/// The service's clock decides what has expired. Expired entries stay in memory until their place is needed.
pub struct LocalLocks {
    clock: Clock,
    // Two caches, so that no number of marks evicts a lock.
    locks: Cache<String, Lock>,
    marks: Cache<String, Timestamp>,
}

#[derive(Clone)]
struct Lock {
    owner: String,
    expires: Timestamp,
}

impl LocalLocks {
    pub fn new(clock: Clock) -> Self {
        let lru = EvictionPolicy::lru();
        Self {
            clock,
            locks: Cache::builder().max_capacity(MAX_LOCKS).eviction_policy(lru.clone()).build(),
            marks: Cache::builder().max_capacity(MAX_MARKS).eviction_policy(lru).build(),
        }
    }

    /// Takes the lock unless another owner has it. The same owner may take it again.
    pub fn acquire(&self, key: &str, owner: &str, ttl: Duration) -> LockOutcome {
        if self.is_done(key) {
            return LockOutcome::Done;
        }
        let (now, mut is_acquired) = (self.clock.now(), true);
        self.locks.entry_by_ref(key).and_compute_with(|present| match present {
            Some(present) if present.value().expires > now && present.value().owner != owner => {
                is_acquired = false;
                Op::Nop
            }
            _ => Op::Put(Lock { owner: owner.to_owned(), expires: now.plus(ttl) }),
        });
        if !is_acquired {
            return LockOutcome::Running;
        }
        // Check again: `complete` sets the mark before it removes the lock.
        if self.is_done(key) {
            self.release(key, owner);
            return LockOutcome::Done;
        }
        LockOutcome::Acquired
    }

    pub fn is_running(&self, key: &str) -> bool {
        let now = self.clock.now();
        self.locks.get(key).is_some_and(|lock| lock.expires > now)
    }

    pub fn extend(&self, key: &str, owner: &str, ttl: Duration) {
        let now = self.clock.now();
        self.locks.entry_by_ref(key).and_compute_with(|present| match present {
            Some(present) if present.value().expires > now && present.value().owner == owner => {
                Op::Put(Lock { expires: now.plus(ttl), ..present.into_value() })
            }
            _ => Op::Nop,
        });
    }

    /// Marks the command as done, unless another owner has the lock.
    pub fn complete(&self, key: &str, owner: &str, ttl: Duration) {
        let now = self.clock.now();
        if self.locks.get(key).is_some_and(|lock| lock.expires > now && lock.owner != owner) {
            return;
        }
        self.marks.insert(key.to_owned(), now.plus(ttl));
        self.release(key, owner);
    }

    pub fn release(&self, key: &str, owner: &str) {
        self.locks.entry_by_ref(key).and_compute_with(|present| match present {
            Some(present) if present.value().owner == owner => Op::Remove,
            _ => Op::Nop,
        });
    }

    fn is_done(&self, key: &str) -> bool {
        self.marks.get(key).is_some_and(|expires| expires > self.clock.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TTL: Duration = Duration::from_secs(30);
    const DAY: Duration = Duration::from_secs(86_400);

    fn locks() -> (LocalLocks, Clock) {
        let clock = Clock::at(Timestamp::from_seconds(1_800_000_000));
        (LocalLocks::new(clock.clone()), clock)
    }

    #[test]
    fn one_takes_it_the_others_see_it_running_then_done() {
        let (locks, clock) = locks();
        assert_eq!(locks.acquire("k", "ada", TTL), LockOutcome::Acquired);
        assert_eq!(locks.acquire("k", "bob", TTL), LockOutcome::Running);
        locks.complete("k", "ada", DAY);
        clock.advance(DAY - Duration::from_micros(1));
        assert_eq!(locks.acquire("k", "bob", TTL), LockOutcome::Done);
        clock.advance(Duration::from_micros(1));
        assert_eq!(locks.acquire("k", "bob", TTL), LockOutcome::Acquired);
    }

    #[test]
    fn a_released_or_expired_lock_is_free() {
        let (locks, clock) = locks();
        locks.acquire("k", "ada", TTL);
        locks.release("k", "ada");
        assert_eq!(locks.acquire("k", "bob", TTL), LockOutcome::Acquired);
        clock.advance(TTL);
        assert_eq!(locks.acquire("k", "cyd", TTL), LockOutcome::Acquired);
    }

    #[test]
    fn an_extended_lock_lives_on() {
        let (locks, clock) = locks();
        locks.acquire("k", "ada", TTL);
        clock.advance(TTL / 2);
        locks.extend("k", "ada", TTL);
        clock.advance(TTL / 2);
        assert_eq!(locks.acquire("k", "bob", TTL), LockOutcome::Running);
    }

    #[test]
    fn another_owner_can_neither_release_nor_extend_nor_complete_it() {
        let (locks, clock) = locks();
        locks.acquire("k", "ada", TTL);
        locks.release("k", "bob");
        locks.complete("k", "bob", DAY);
        locks.extend("k", "bob", DAY);
        assert_eq!(locks.acquire("k", "cyd", TTL), LockOutcome::Running);
        clock.advance(TTL);
        assert_eq!(locks.acquire("k", "cyd", TTL), LockOutcome::Acquired);
    }

    #[test]
    fn a_mark_cannot_be_released() {
        let (locks, _) = locks();
        locks.acquire("k", "ada", TTL);
        locks.complete("k", "ada", DAY);
        locks.release("k", "ada");
        assert_eq!(locks.acquire("k", "bob", TTL), LockOutcome::Done);
    }

    #[test]
    fn a_mark_is_set_even_when_the_lock_was_lost_on_the_way() {
        let (locks, _) = locks();
        locks.complete("k", "ada", DAY);
        assert_eq!(locks.acquire("k", "bob", TTL), LockOutcome::Done);
    }

    #[test]
    fn looking_takes_no_lock() {
        let (locks, clock) = locks();
        assert!(!locks.is_running("k"));
        assert_eq!(locks.acquire("k", "ada", TTL), LockOutcome::Acquired);
        assert!(locks.is_running("k"));
        locks.complete("k", "ada", DAY);
        assert!(!locks.is_running("k"));
        locks.acquire("k2", "ada", TTL);
        clock.advance(TTL);
        assert!(!locks.is_running("k2"));
    }

    #[test]
    fn marks_give_way_before_locks_and_memory_stays_bounded() {
        let (locks, _) = locks();
        locks.acquire("running", "ada", TTL);
        for key in 0..100_000 {
            locks.complete(&format!("key {key}"), "ada", DAY);
        }
        assert_eq!(locks.acquire("running", "bob", TTL), LockOutcome::Running);
        for key in 0..30_000 {
            locks.acquire(&format!("key {key} of a request that died"), "ada", TTL);
        }
        locks.locks.run_pending_tasks();
        locks.marks.run_pending_tasks();
        assert!(locks.locks.entry_count() <= MAX_LOCKS);
        assert!((MAX_MARKS / 2..=MAX_MARKS).contains(&locks.marks.entry_count()));
    }
}
