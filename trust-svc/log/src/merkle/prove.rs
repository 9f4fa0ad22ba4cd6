//! Makes proofs from stored hashes, with one read for each proof.
//!
//! The stored hashes are the rows of C2SP's tiles. Row 0 has the hashes of the leaves, row `k` the roots of the
//! complete subtrees of 256^`k` leaves. A proof needs parts of at most two tiles of each row.

use std::{collections::BTreeMap, fmt};

use super::{
    frontier::Frontier,
    hash::{Hash, node_hash},
    nodes::{self, Element, Node},
    size::{self, TILE_HEIGHT, TooLarge},
};

/// Neighboring hashes of one row, all within one tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HashRange {
    /// The row: 0 for the hashes of leaves, `k` for the roots of subtrees of 256^`k` leaves.
    pub level: u8,
    /// The position of the first hash.
    pub start: u64,
    /// 1 to 256.
    pub count: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProveError<E> {
    TooLarge(TooLarge),
    NoLeaf {
        index: u64,
        size: u64,
    },
    /// Only a larger tree can be consistent with a smaller one.
    NotLarger {
        first: u64,
        second: u64,
    },
    Read(E),
    /// The stored hashes do not lead to the root of the tree.
    Damaged,
    /// The storage returned another number of hashes for a range.
    Missing {
        range: HashRange,
        got: usize,
    },
    /// The storage returned another number of ranges.
    Unanswered {
        asked: usize,
        got: usize,
    },
}

/// The inclusion path of a leaf in the tree of `size` leaves (RFC 9162 §2.1.3.1), from the leaf's sibling upwards.
/// `read` returns the hashes of each range, in the order of the ranges. It is called at most once, with at most 16
/// ranges.
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

/// The proof that the tree of `second` leaves begins with the tree of `first` leaves (RFC 9162 §2.1.4.1). It is empty,
/// and nothing is read, if the sizes are equal or `first` is 0. `read` is as in [`inclusion`].
pub fn consistency<E>(
    first: u64,
    second: u64,
    read: impl FnOnce(&[HashRange]) -> Result<Vec<Vec<Hash>>, E>,
) -> Result<Vec<Hash>, ProveError<E>> {
    size::sum(second, 0)?;
    if first > second {
        return Err(ProveError::NotLarger { first, second });
    }
    hashes(&between(first, second), read)
}

/// The frontier, and so the root, of the tree when it had `size` leaves. `read` is as in [`inclusion`].
pub fn frontier<E>(
    size: u64,
    read: impl FnOnce(&[HashRange]) -> Result<Vec<Vec<Hash>>, E>,
) -> Result<Frontier, ProveError<E>> {
    size::sum(size, 0)?;
    Ok(Frontier::of(size, hashes(&subtrees(size), read)?))
}

/// The largest complete subtrees of the tree of `size` leaves.
pub(super) fn subtrees(size: u64) -> Vec<Element> {
    nodes::edge(size, u64::BITS).into_iter().map(|node| vec![node]).collect()
}

/// What proves that the tree of `second` leaves begins with the tree of `first` leaves.
pub(super) fn between(first: u64, second: u64) -> Vec<Element> {
    if first == 0 || first == second { Vec::new() } else { nodes::consistency(first, second) }
}

pub(super) fn hashes<E>(
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
        subtree_root(row[from..from + range.count as usize].to_vec())
    };
    let element = |nodes: &Element| {
        let smallest_first = nodes.iter().rev().map(hash);
        smallest_first.reduce(|right, left| node_hash(&left, &right)).expect("an element has nodes")
    };
    Ok(elements.iter().map(element).collect())
}

// One range for each tile: from the first to the last needed hash. Reading a few unneeded hashes is cheaper than
// another query.
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

/// The root of a complete subtree, from the hashes of one row: 1, 2, 4 … or 256 of them.
pub fn subtree_root(mut row: Vec<Hash>) -> Hash {
    while row.len() > 1 {
        row = row.as_chunks::<2>().0.iter().map(|[left, right]| node_hash(left, right)).collect();
    }
    row[0]
}

impl Node {
    // A node is at most 7 levels above a stored row. So it covers less than 256 stored hashes, all in one tile.
    fn range(self) -> HashRange {
        let above = self.height % TILE_HEIGHT;
        // A height is below 64, so the level is below 8.
        let level = (self.height / TILE_HEIGHT) as u8;
        HashRange { level, start: self.index << above, count: 1 << above }
    }
}

impl HashRange {
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
            Self::Damaged => write!(f, "the hashes of the log do not lead to the root of its head: some are damaged"),
            Self::Read(error) => write!(f, "the hashes of the log cannot be read: {error}"),
            Self::Missing { range: HashRange { level, start, count }, got } => {
                write!(f, "level {level} of the log must have {count} hashes from {start} on, has {got}")
            }
            Self::Unanswered { asked, got } => write!(f, "{asked} ranges of hashes were requested, {got} returned"),
        }
    }
}

impl<E: std::error::Error> std::error::Error for ProveError<E> {}
