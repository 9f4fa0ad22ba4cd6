//! Counts of the current minute in this process, in at most 4 MB for any number of addresses and grants.

use std::{
    array,
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
};

const SHARDS: usize = 16;
const MAX_SHARD_KEYS: usize = 8192;

pub struct LocalWindows {
    // Keys are stored as hashes under a random seed, so that nobody can choose keys that collide.
    seed: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

#[derive(Default)]
struct Shard {
    minute: i64,
    counts: HashMap<u64, u64>,
}

impl Default for LocalWindows {
    fn default() -> Self {
        Self { seed: RandomState::new(), shards: array::from_fn(|_| Mutex::default()) }
    }
}

impl LocalWindows {
    /// Adds `weight` to the count; returns the new count.
    pub fn add(&self, key: &str, minute: i64, weight: u64) -> u64 {
        let (mut shard, hash) = self.shard(key, minute);
        let count = shard.entry(hash);
        *count = count.saturating_add(weight);
        *count
    }

    /// Raises the count to at least this; returns the count before, or 0 if it is not known.
    pub fn raise(&self, key: &str, minute: i64, at_least: u64) -> u64 {
        let (mut shard, hash) = self.shard(key, minute);
        // A count of the last minute would use up this one.
        if minute < shard.minute {
            return 0;
        }
        let count = shard.entry(hash);
        let before = *count;
        *count = before.max(at_least);
        before
    }

    pub fn count(&self, key: &str, minute: i64) -> u64 {
        let (shard, hash) = self.shard(key, minute);
        shard.counts.get(&hash).copied().unwrap_or(0)
    }

    /// The shard of a key, moved to this minute.
    fn shard(&self, key: &str, minute: i64) -> (MutexGuard<'_, Shard>, u64) {
        let hash = self.seed.hash_one(key);
        // No bias from taking the shard out of the hash: the map hashes the hash again.
        let shard = &self.shards[hash as usize % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        shard.move_to(minute);
        (shard, hash)
    }
}

impl Shard {
    // A request stamped with the previous minute counts in the current one. Any other jump clears the counts, so that a
    // clock that was set back locks nobody out.
    fn move_to(&mut self, minute: i64) {
        if minute != self.minute && minute != self.minute - 1 {
            self.minute = minute;
            self.counts.clear();
        }
    }

    fn entry(&mut self, hash: u64) -> &mut u64 {
        if self.counts.len() >= MAX_SHARD_KEYS && !self.counts.contains_key(&hash) {
            self.drop_smallest();
        }
        self.counts.entry(hash).or_insert(0)
    }

    // The smallest counts go first, so that a subject near its limit stays near it when strangers fill the shard.
    fn drop_smallest(&mut self) {
        let mut least = 1u64;
        while self.counts.len() > MAX_SHARD_KEYS / 4 * 3 {
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
        let windows = LocalWindows::default();
        assert_eq!([windows.add("a", 7, 1), windows.add("a", 7, 1), windows.add("b", 7, 1)], [1, 2, 1]);
        assert_eq!([windows.add("a", 8, 1), windows.count("b", 8)], [1, 0]);
    }

    #[test]
    fn a_latecomer_of_the_last_minute_does_not_bring_it_back() {
        let windows = LocalWindows::default();
        windows.add("a", 8, 1);
        assert_eq!(windows.add("a", 7, 1), 2);
        assert_eq!(windows.count("a", 8), 2);
    }

    #[test]
    fn what_others_counted_in_the_last_minute_does_not_raise_this_one() {
        let windows = LocalWindows::default();
        windows.add("a", 8, 1);
        assert_eq!(windows.raise("a", 7, 120), 0, "the count of that minute is forgotten");
        assert_eq!(windows.count("a", 8), 1);
    }

    #[test]
    fn a_clock_that_is_set_back_locks_nobody_out() {
        let windows = LocalWindows::default();
        windows.raise("a", 90, 1000);
        assert_eq!(windows.add("a", 30, 1), 1);
    }

    #[test]
    fn a_million_subjects_neither_fill_the_memory_nor_reset_one_near_its_limit() {
        let windows = LocalWindows::default();
        windows.raise("busy", 7, 119);
        for stranger in 0..1_000_000 {
            windows.add(&format!("stranger {stranger}"), 7, 1);
        }
        assert_eq!(windows.add("busy", 7, 1), 120);
        for shard in &windows.shards {
            assert!(shard.lock().expect("a lock").counts.len() <= MAX_SHARD_KEYS);
        }
    }

    #[test]
    fn even_when_all_are_equally_busy_there_is_room_for_the_next() {
        let windows = LocalWindows::default();
        for stranger in 0..2 * SHARDS * MAX_SHARD_KEYS {
            windows.raise(&format!("stranger {stranger}"), 7, u64::MAX);
        }
        for shard in &windows.shards {
            assert!(shard.lock().expect("a lock").counts.len() <= MAX_SHARD_KEYS);
        }
    }
}
