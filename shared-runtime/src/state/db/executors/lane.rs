//! Lanes decide which writes run in parallel on PostgreSQL.
//!
//! A lane is one executor thread, its queue, and an advisory lock. The same lane in other processes shares the lock.

use sha2::{Digest as _, Sha256};

// All processes on one database must agree on this number, because it maps keys to locks.
const LANES: u64 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneKey(u64);

impl LaneKey {
    pub fn from_name(name: &[u8]) -> Self {
        let hash = Sha256::digest(name);
        Self(hash.iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte)))
    }

    pub fn for_workspace(number: i64) -> Self {
        Self::from_name(&number.to_be_bytes())
    }

    pub fn index(self, lanes: usize) -> usize {
        usize::try_from(self.0 % lanes as u64).unwrap_or_default()
    }
}

#[derive(Clone, Debug)]
pub struct Lane {
    begin: String,
}

impl Lane {
    /// The lane for writes without a key: its transactions run alone in the whole database.
    pub fn exclusive() -> Self {
        Self { begin: begin("pg_advisory_xact_lock(hashtext(current_schema()), 0)") }
    }

    /// The lanes for writes with a key.
    pub fn keyed() -> Vec<Self> {
        let lock = |number: u64| {
            begin(&format!(
                // Shared with all keyed lanes, against the exclusive lane. Always lock 0 first, so that two lanes
                // cannot deadlock.
                "pg_advisory_xact_lock_shared(hashtext(current_schema()), 0), \
                 pg_advisory_xact_lock(hashtext(current_schema()), {number})"
            ))
        };
        (1..=LANES).map(|number| Self { begin: lock(number) }).collect()
    }

    /// The statement that begins a transaction on PostgreSQL and takes the lane's locks.
    pub fn begin(&self) -> &str {
        &self.begin
    }
}

fn begin(locks: &str) -> String {
    // Locks of a transaction end with it, even if the process dies. READ COMMITTED is enough, because nobody else
    // changes the rows of a held key. One round trip begins and locks.
    format!("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT {locks}")
}
