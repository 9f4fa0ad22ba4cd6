//! How many leaves a tree may have.

use std::fmt;

/// The largest number of leaves: what a signed 64-bit column holds.
pub const MAX_SIZE: u64 = (1 << 63) - 1;

/// A proof has at most this many hashes: one for each level below the root of the highest tree.
pub const MAX_PROOF: usize = 63;

/// Levels of the tree between one row of stored hashes and the next: a tile is a subtree of this height (C2SP
/// tlog-tiles).
pub const TILE_HEIGHT: u32 = 8;

/// Hashes in a full tile.
pub const TILE_WIDTH: u64 = 1 << TILE_HEIGHT;

/// More leaves than a tree may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// How many there are.
    pub size: u64,
    /// How many were to be added.
    pub more: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a tree must have at most {MAX_SIZE} leaves; this one has {}, to which {} come", self.size, self.more)
    }
}

impl std::error::Error for TooLarge {}

/// The size after `more` leaves are added.
pub fn sum(size: u64, more: u64) -> Result<u64, TooLarge> {
    size.checked_add(more).filter(|sum| *sum <= MAX_SIZE).ok_or(TooLarge { size, more })
}
