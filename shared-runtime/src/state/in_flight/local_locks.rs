//! In-flight locks and marks of this process, in bounded memory.

use std::time::Duration;

use lru::LruCache;
use shared_model::Timestamp;

use super::lock_outcome::LockOutcome;
use crate::base::{bounded_cache::BoundedCache, clock::Clock};

const MAX_LOCKS: usize = 16_384;
// Fewer than locks: a lost mark costs only a query.
const MAX_MARKS: usize = 4_096;

/// The service's clock decides what has expired. Expired entries stay in memory until their place is needed.
pub struct LocalLocks {
    clock: Clock,
    // Two caches, so that no number of marks evicts a lock.
    locks: BoundedCache<String, Lock>,
    marks: BoundedCache<String, Timestamp>,
}

struct Lock {
    owner: String,
    expires: Timestamp,
}

impl LocalLocks {
    pub fn new(clock: Clock) -> Self {
        Self { clock, locks: BoundedCache::of(MAX_LOCKS), marks: BoundedCache::of(MAX_MARKS) }
    }

    /// Takes the lock unless another owner has it. The same owner may take it again.
    pub fn acquire(&self, key: &str, owner: &str, ttl: Duration) -> LockOutcome {
        let now = self.clock.now();
        let mut locks = self.locks.lock();
        // While the locks are held: `complete` sets the mark before it removes the lock.
        if self.marks.lock().get(key).is_some_and(|expires| *expires > now) {
            return LockOutcome::Done;
        }
        if locks.get(key).is_some_and(|lock| lock.expires > now && lock.owner != owner) {
            return LockOutcome::Running;
        }
        locks.put(key.to_owned(), Lock { owner: owner.to_owned(), expires: now.plus(ttl) });
        LockOutcome::Acquired
    }

    pub fn is_running(&self, key: &str) -> bool {
        let now = self.clock.now();
        self.locks.lock().get(key).is_some_and(|lock| lock.expires > now)
    }

    pub fn extend(&self, key: &str, owner: &str, ttl: Duration) {
        let now = self.clock.now();
        if let Some(lock) = self.locks.lock().get_mut(key)
            && lock.expires > now
            && lock.owner == owner
        {
            lock.expires = now.plus(ttl);
        }
    }

    /// Marks the command as done, unless another owner has the lock.
    pub fn complete(&self, key: &str, owner: &str, ttl: Duration) {
        let now = self.clock.now();
        let mut locks = self.locks.lock();
        if locks.get(key).is_some_and(|lock| lock.expires > now && lock.owner != owner) {
            return;
        }
        self.marks.lock().put(key.to_owned(), now.plus(ttl));
        release(&mut locks, key, owner);
    }

    pub fn release(&self, key: &str, owner: &str) {
        release(&mut self.locks.lock(), key, owner);
    }
}

fn release(locks: &mut LruCache<String, Lock>, key: &str, owner: &str) {
    if locks.peek(key).is_some_and(|lock| lock.owner == owner) {
        locks.pop(key);
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
        assert_eq!(locks.locks.lock().len(), MAX_LOCKS);
        assert_eq!(locks.marks.lock().len(), MAX_MARKS);
    }
}
