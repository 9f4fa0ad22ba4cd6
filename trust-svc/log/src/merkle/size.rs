//! The limits of a tree.

use std::fmt;

// The largest number of leaves: a signed 64-bit column holds it.
pub const MAX_SIZE: u64 = (1 << 63) - 1;

// The largest number of hashes in a proof: one for each level below the root of the highest tree.
pub const MAX_PROOF: usize = 63;

/// The levels of the tree between two stored rows: a tile is a subtree of this height (C2SP tlog-tiles).
pub const TILE_HEIGHT: u32 = 8;

/// The number of hashes in a full tile.
pub const TILE_WIDTH: u64 = 1 << TILE_HEIGHT;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    pub size: u64,
    pub more: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a tree must have at most {MAX_SIZE} leaves; this one has {}, to which {} come", self.size, self.more)
    }
}

impl std::error::Error for TooLarge {}

/// The size after `more` leaves were added.
pub fn sum(size: u64, more: u64) -> Result<u64, TooLarge> {
    size.checked_add(more).filter(|sum| *sum <= MAX_SIZE).ok_or(TooLarge { size, more })
}
