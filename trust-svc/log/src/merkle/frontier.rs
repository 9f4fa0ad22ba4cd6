//! A tree as the roots of its largest complete subtrees: at most 63 hashes, and all that appending needs.

use std::fmt;

use super::{
    hash::{EMPTY_ROOT, Hash, node_hash},
    size::{self, TooLarge},
};

/// A tree has one complete subtree for each bit that is set in its size. These are their roots, the largest subtree
/// first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    roots: Vec<Hash>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontierError {
    TooLarge(TooLarge),
    /// A tree of this size needs another number of bytes.
    Length {
        size: u64,
        bytes: usize,
    },
    /// A subtree of 2^height leaves can only begin at a multiple of 2^height.
    Unaligned {
        size: u64,
        height: u32,
    },
}

impl Frontier {
    // The caller guarantees the number of roots.
    pub(super) fn of(size: u64, roots: Vec<Hash>) -> Self {
        debug_assert_eq!(roots.len(), size.count_ones() as usize, "one root for each bit of {size}");
        Self { size, roots }
    }

    /// Reads the bytes that [`Self::to_bytes`] wrote for a tree of this size.
    pub fn from_bytes(size: u64, bytes: &[u8]) -> Result<Self, FrontierError> {
        size::sum(size, 0)?;
        let (roots, rest) = bytes.as_chunks::<32>();
        if !rest.is_empty() || roots.len() != size.count_ones() as usize {
            return Err(FrontierError::Length { size, bytes: bytes.len() });
        }
        Ok(Self { size, roots: roots.iter().copied().map(Hash::from_bytes).collect() })
    }

    /// The roots in their order, 32 bytes each.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.roots.iter().flat_map(|root| *root.as_bytes()).collect()
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// The largest subtree first.
    pub fn roots(&self) -> &[Hash] {
        &self.roots
    }

    pub fn root(&self) -> Hash {
        let over = |right, left: &Hash| node_hash(left, &right);
        let mut smallest_first = self.roots.iter().rev();
        smallest_first.next().map_or(EMPTY_ROOT, |smallest| smallest_first.fold(*smallest, over))
    }

    pub fn push(&mut self, leaf: Hash) -> Result<(), FrontierError> {
        self.push_subtree(0, leaf)
    }

    /// Appends a complete subtree of 2^`height` leaves, given its root. Threads can hash subtrees in parallel this way.
    pub fn push_subtree(&mut self, height: u32, root: Hash) -> Result<(), FrontierError> {
        let unaligned = FrontierError::Unaligned { size: self.size, height };
        let leaves = 1_u64.checked_shl(height).ok_or(unaligned)?;
        if !self.size.is_multiple_of(leaves) {
            return Err(unaligned);
        }
        let size = size::sum(self.size, leaves)?;
        // This is binary addition: two subtrees of one size join into one of twice the size, which may join again.
        let carries = (self.size >> height).trailing_ones() as usize;
        let joined = self.roots.split_off(self.roots.len() - carries);
        self.roots.push(joined.iter().rev().fold(root, |right, left| node_hash(left, &right)));
        self.size = size;
        Ok(())
    }
}

impl From<TooLarge> for FrontierError {
    fn from(error: TooLarge) -> Self {
        Self::TooLarge(error)
    }
}

impl fmt::Display for FrontierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(error) => error.fmt(f),
            Self::Length { size, bytes } => {
                let expected = 32 * size.count_ones();
                write!(f, "the frontier of a tree of {size} leaves must have {expected} bytes, has {bytes}")
            }
            Self::Unaligned { size, height } => {
                write!(f, "a subtree of 2^{height} leaves must begin at a multiple of that number, not at {size}")
            }
        }
    }
}

impl std::error::Error for FrontierError {}
