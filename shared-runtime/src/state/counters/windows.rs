//! Counts of the current minute, in bounded memory: some 4 MB however many addresses or keys come along.
//!
//! A key is kept as its hash under a random seed, so that nobody can choose keys that meet. When a shard is full, those
//! who have asked the least are forgotten first: they lose the least, and whoever is near a limit stays near it.

use std::{
    array,
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
};

const SHARDS: usize = 16;
const SHARD_KEYS: usize = 8192;

/// The counts of one minute.
pub struct Windows {
    seed: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

#[derive(Default)]
struct Shard {
    minute: i64,
    counts: HashMap<u64, u64>,
}

impl Default for Windows {
    fn default() -> Self {
        Self { seed: RandomState::new(), shards: array::from_fn(|_| Mutex::default()) }
    }
}

impl Windows {
    /// Counts one more; the count after it.
    pub fn add(&self, key: &str, minute: i64) -> u64 {
        self.update(key, minute, |count| count.saturating_add(1))
    }

    /// Learns that there were at least this many.
    pub fn raise(&self, key: &str, minute: i64, at_least: u64) {
        self.update(key, minute, |count| count.max(at_least));
    }

    /// The count so far.
    pub fn level(&self, key: &str, minute: i64) -> u64 {
        let (mut shard, hash) = self.shard(key);
        shard.turn_to(minute);
        shard.counts.get(&hash).copied().unwrap_or(0)
    }

    fn update(&self, key: &str, minute: i64, change: impl FnOnce(u64) -> u64) -> u64 {
        let (mut shard, hash) = self.shard(key);
        shard.turn_to(minute);
        if shard.counts.len() >= SHARD_KEYS && !shard.counts.contains_key(&hash) {
            shard.forget_the_least();
        }
        let count = shard.counts.entry(hash).or_insert(0);
        *count = change(*count);
        *count
    }

    fn shard(&self, key: &str) -> (MutexGuard<'_, Shard>, u64) {
        let hash = self.seed.hash_one(key);
        // The map takes its buckets from other bits: it hashes the hash once more.
        let shard = &self.shards[hash as usize % SHARDS];
        (shard.lock().unwrap_or_else(PoisonError::into_inner), hash)
    }
}

impl Shard {
    /// Drops the counts of another minute. One who comes a moment late, when the next minute has begun, is counted in
    /// that; a clock that was set back further starts afresh, so that no window lasts longer than the clock says.
    fn turn_to(&mut self, minute: i64) {
        if minute != self.minute && minute != self.minute - 1 {
            self.minute = minute;
            self.counts.clear();
        }
    }

    fn forget_the_least(&mut self) {
        let mut least = 1u64;
        while self.counts.len() > SHARD_KEYS / 4 * 3 {
            self.counts.retain(|_, count| *count > least);
            least = least.saturating_mul(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_and_minute_counts_for_itself() {
        let windows = Windows::default();
        assert_eq!([windows.add("a", 7), windows.add("a", 7), windows.add("b", 7)], [1, 2, 1]);
        assert_eq!([windows.add("a", 8), windows.level("b", 8)], [1, 0]);
    }

    #[test]
    fn a_latecomer_of_the_last_minute_does_not_bring_it_back() {
        let windows = Windows::default();
        windows.add("a", 8);
        assert_eq!(windows.add("a", 7), 2);
        assert_eq!(windows.level("a", 8), 2);
    }

    #[test]
    fn a_clock_that_is_set_back_locks_nobody_out() {
        let windows = Windows::default();
        windows.raise("a", 90, 1000);
        assert_eq!(windows.add("a", 30), 1);
    }

    #[test]
    fn a_million_strangers_neither_fill_the_memory_nor_reset_who_is_near_a_limit() {
        let windows = Windows::default();
        windows.raise("busy", 7, 119);
        for stranger in 0..1_000_000 {
            windows.add(&format!("stranger {stranger}"), 7);
        }
        assert_eq!(windows.add("busy", 7), 120);
        for shard in &windows.shards {
            assert!(shard.lock().unwrap().counts.len() <= SHARD_KEYS);
        }
    }

    #[test]
    fn even_when_all_are_equally_busy_there_is_room_for_the_next() {
        let windows = Windows::default();
        for stranger in 0..2 * SHARDS * SHARD_KEYS {
            windows.raise(&format!("stranger {stranger}"), 7, u64::MAX);
        }
        for shard in &windows.shards {
            assert!(shard.lock().unwrap().counts.len() <= SHARD_KEYS);
        }
    }
}
