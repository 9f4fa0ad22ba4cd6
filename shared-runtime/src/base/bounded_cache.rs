//! A cache in bounded memory.

use std::{
    hash::Hash,
    num::NonZeroUsize,
    sync::{Mutex, MutexGuard, PoisonError},
};

use lru::LruCache;

/// At most this many entries, at least one. The least recently used is dropped first.
// One lock for all of it: a look-up takes less time than the queues of a cache that has many.
#[derive(Debug)]
pub struct BoundedCache<K: Hash + Eq, V>(Mutex<LruCache<K, V>>);

impl<K: Hash + Eq, V> BoundedCache<K, V> {
    pub fn of(most: usize) -> Self {
        // `LruCache::new` would take the memory of all entries at once.
        let mut entries = LruCache::unbounded();
        entries.resize(NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN));
        Self(Mutex::new(entries))
    }

    pub fn lock(&self) -> MutexGuard<'_, LruCache<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
