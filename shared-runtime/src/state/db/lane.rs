//! Lanes: which writes run side by side on PostgreSQL, and which one after the other.
//!
//! A lane is an executor thread with a queue, and an advisory lock that it shares with the same lane of other processes.

use sha2::{Digest as _, Sha256};

/// Lanes of writes that have a key. Processes on one database must agree on it.
const LANES: u64 = 4;

/// What the writes of a lane have in common: a workspace or an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneKey(u64);

impl LaneKey {
    /// The key of this workspace or account.
    pub fn of(name: &[u8]) -> Self {
        let hash = Sha256::digest(name);
        Self(hash.iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte)))
    }

    /// The key of the workspace of this number.
    pub fn of_workspace(number: i64) -> Self {
        Self::of(&number.to_be_bytes())
    }

    /// The place of its lane among so many.
    pub(super) fn index(self, lanes: usize) -> usize {
        usize::try_from(self.0 % lanes as u64).unwrap_or_default()
    }
}

/// The lane of one executor.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    begin: String,
}

impl Lane {
    /// Of writes without a key: while one runs, no other does.
    pub(super) fn alone() -> Self {
        Self { begin: begin("pg_advisory_xact_lock(hashtext(current_schema()), 0)") }
    }

    /// Of writes with a key.
    pub(super) fn keyed() -> Vec<Self> {
        let lock = |number: u64| {
            begin(&format!(
                "pg_advisory_xact_lock_shared(hashtext(current_schema()), 0), \
                 pg_advisory_xact_lock(hashtext(current_schema()), {number})"
            ))
        };
        (1..=LANES).map(|number| Self { begin: lock(number) }).collect()
    }

    /// How a transaction of the lane begins on PostgreSQL.
    pub(super) fn begin(&self) -> &str {
        &self.begin
    }
}

fn begin(locks: &str) -> String {
    format!("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT {locks}")
}
