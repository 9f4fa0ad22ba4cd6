//! Making proofs from stored hashes, with one read for each proof.
//!
//! What is stored are the rows of C2SP's tiles: row 0 has the hashes of the leaves, row `k` the roots of the complete
//! subtrees of 256^`k` leaves. A proof needs parts of at most two tiles of each row.

use std::{collections::BTreeMap, fmt};

use super::{
    frontier::Frontier,
    hash::{Hash, node_hash},
    nodes::{self, Element, Node},
    size::{self, TILE_HEIGHT, TooLarge},
};

/// Neighbouring hashes of one row, all within one tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HashRange {
    /// The row: 0 for hashes of leaves, `k` for the roots of subtrees of 256^`k` leaves.
    pub level: u8,
    /// The place of the first.
    pub start: u64,
    /// How many: 1 to 256.
    pub count: u64,
}

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProveError<E> {
    /// The tree may not be so large.
    TooLarge(TooLarge),
    /// The tree has no such leaf.
    NoLeaf {
        /// Its index.
        index: u64,
        /// The size of the tree.
        size: u64,
    },
    /// A tree is consistent with larger ones only.
    NotLarger {
        /// The size of the first tree.
        first: u64,
        /// The size of the second.
        second: u64,
    },
    /// The hashes could not be read.
    Read(E),
    /// The storage answered with another number of hashes than it was asked for.
    Missing {
        /// What it was asked for.
        range: HashRange,
        /// How many it answered.
        got: usize,
    },
    /// The storage answered another number of ranges than it was asked for.
    Unanswered {
        /// How many it was asked for.
        asked: usize,
        /// How many it answered.
        got: usize,
    },
}

/// The inclusion path of a leaf in the tree of `size` leaves (RFC 9162 §2.1.3.1), from the leaf's sibling upwards.
/// `read` answers the hashes of each range, in their order; it is asked once at most, for at most 16 ranges.
pub fn inclusion<E>(
    index: u64,
    size: u64,
    read: impl FnOnce(&[HashRange]) -> Result<Vec<Vec<Hash>>, E>,
) -> Result<Vec<Hash>, ProveError<E>> {
    size::sum(size, 0)?;
    if index >= size {
        return Err(ProveError::NoLeaf { index, size });
    }
    hashes(&nodes::path(Node { height: 0, index }, size), read)
}

/// The proof that the tree of `second` leaves begins with that of `first` leaves (RFC 9162 §2.1.4.1). It is empty, and
/// nothing is read, when they are the same or the first has no leaves. `read` as in [`inclusion`].
pub fn consistency<E>(
    first: u64,
    second: u64,
    read: impl FnOnce(&[HashRange]) -> Result<Vec<Vec<Hash>>, E>,
) -> Result<Vec<Hash>, ProveError<E>> {
    size::sum(second, 0)?;
    match first {
        _ if first > second => Err(ProveError::NotLarger { first, second }),
        0 => Ok(Vec::new()),
        _ if first == second => Ok(Vec::new()),
        _ => hashes(&nodes::consistency(first, second), read),
    }
}

/// The frontier of the tree as it was when it had `size` leaves, and so its root. `read` as in [`inclusion`].
pub fn frontier<E>(
    size: u64,
    read: impl FnOnce(&[HashRange]) -> Result<Vec<Vec<Hash>>, E>,
) -> Result<Frontier, ProveError<E>> {
    size::sum(size, 0)?;
    let roots: Vec<Element> = nodes::edge(size, u64::BITS).into_iter().map(|node| vec![node]).collect();
    Ok(Frontier::of(size, hashes(&roots, read)?))
}

/// The hashes of the elements of a proof, of what one read answers.
fn hashes<E>(
    elements: &[Element],
    read: impl FnOnce(&[HashRange]) -> Result<Vec<Vec<Hash>>, E>,
) -> Result<Vec<Hash>, ProveError<E>> {
    if elements.is_empty() {
        return Ok(Vec::new());
    }
    let (asked, ranges): (Vec<_>, Vec<_>) = ranges(elements).into_iter().unzip();
    let rows = read(&ranges).map_err(ProveError::Read)?;
    if rows.len() != ranges.len() {
        return Err(ProveError::Unanswered { asked: ranges.len(), got: rows.len() });
    }
    let mut answers = BTreeMap::new();
    for ((tile, range), row) in asked.into_iter().zip(ranges).zip(rows) {
        if row.len() as u64 != range.count {
            return Err(ProveError::Missing { range, got: row.len() });
        }
        answers.insert(tile, (range.start, row));
    }
    let hash = |node: &Node| {
        let range = node.range();
        let (start, row) = &answers[&range.tile()];
        let from = (range.start - start) as usize;
        root(row[from..from + range.count as usize].to_vec())
    };
    let element = |nodes: &Element| {
        let smallest_first = nodes.iter().rev().map(hash);
        smallest_first.reduce(|right, left| node_hash(&left, &right)).expect("an element has nodes")
    };
    Ok(elements.iter().map(element).collect())
}

/// For each tile that the elements need the part of it that has all of that.
fn ranges(elements: &[Element]) -> BTreeMap<(u8, u64), HashRange> {
    let mut ranges: BTreeMap<(u8, u64), HashRange> = BTreeMap::new();
    for needed in elements.iter().flatten().map(|node| node.range()) {
        let range = ranges.entry(needed.tile()).or_insert(needed);
        let end = (range.start + range.count).max(needed.start + needed.count);
        range.start = range.start.min(needed.start);
        range.count = end - range.start;
    }
    ranges
}

/// The root of a complete subtree, given its leaves or the roots of subtrees of one height.
fn root(mut row: Vec<Hash>) -> Hash {
    while row.len() > 1 {
        row = row.as_chunks::<2>().0.iter().map(|[left, right]| node_hash(left, right)).collect();
    }
    row[0]
}

impl Node {
    /// The stored hashes below it: it is above less than 256 of them, which are all in one tile.
    fn range(self) -> HashRange {
        let above = self.height % TILE_HEIGHT;
        // A height is below 64.
        let level = (self.height / TILE_HEIGHT) as u8;
        HashRange { level, start: self.index << above, count: 1 << above }
    }
}

impl HashRange {
    /// The level and index of the tile that it is in.
    fn tile(self) -> (u8, u64) {
        (self.level, self.start >> TILE_HEIGHT)
    }
}

impl<E> From<TooLarge> for ProveError<E> {
    fn from(error: TooLarge) -> Self {
        Self::TooLarge(error)
    }
}

impl<E: fmt::Display> fmt::Display for ProveError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(error) => error.fmt(f),
            Self::NoLeaf { index, size } => {
                write!(f, "the index must be below the size of the tree, {size}, and is {index}")
            }
            Self::NotLarger { first, second } => {
                write!(f, "the first size must be at most the second, {second}, and is {first}")
            }
            Self::Read(error) => write!(f, "the hashes of the log cannot be read: {error}"),
            Self::Missing { range: HashRange { level, start, count }, got } => {
                write!(f, "level {level} of the log must have {count} hashes from {start} on, has {got}")
            }
            Self::Unanswered { asked, got } => write!(f, "{asked} ranges of hashes were asked for, {got} came"),
        }
    }
}

impl<E: std::error::Error> std::error::Error for ProveError<E> {}
