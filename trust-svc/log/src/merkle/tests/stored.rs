//! The stored rows of logs of all sizes, computed tile by tile, and proofs from them.

use crate::merkle::{
    hash::{Hash, leaf_hash, node_hash},
    nodes::{self, Element, Node},
    prove::{self, HashRange},
};

/// The entry of a leaf.
pub fn entry(index: u64) -> Vec<u8> {
    format!("entry {index}").into_bytes()
}

pub fn leaves(range: std::ops::Range<u64>) -> Vec<Hash> {
    range.map(|index| leaf_hash(&entry(index))).collect()
}

/// The rows that a log of this size stores, computed tile by tile.
pub struct Stored(pub Vec<Vec<Hash>>);

impl Stored {
    pub fn of(size: u64) -> Self {
        let mut rows = vec![leaves(0..size)];
        while let Some(full) = rows.last().map(|row| row.as_chunks::<256>().0).filter(|full| !full.is_empty()) {
            let row = full.iter().map(|tile| tile_root(tile)).collect();
            rows.push(row);
        }
        Self(rows)
    }

    /// The root of the first leaves; nothing beyond them is read.
    pub fn root(&self, size: u64) -> Hash {
        prove::frontier(size, |ranges| self.within(size, ranges)).expect("a frontier").root()
    }

    pub fn inclusion(&self, index: u64, size: u64) -> Vec<Hash> {
        prove::inclusion(index, size, |ranges| self.within(size, ranges)).expect("a proof")
    }

    pub fn consistency(&self, first: u64, second: u64) -> Vec<Hash> {
        prove::consistency(first, second, |ranges| self.within(second, ranges)).expect("a proof")
    }

    fn within(&self, size: u64, ranges: &[HashRange]) -> Result<Vec<Vec<Hash>>, String> {
        assert!((1..=16).contains(&ranges.len()), "{ranges:?}");
        let row = |&HashRange { level, start, count }: &HashRange| {
            assert!(
                (1..=256).contains(&count) && start / 256 == (start + count - 1) / 256,
                "one tile: {start} {count}"
            );
            assert!(start + count <= size >> (8 * level), "beyond the tree of {size}: {level} {start} {count}");
            Ok(self.0[usize::from(level)][start as usize..(start + count) as usize].to_vec())
        };
        ranges.iter().map(row).collect()
    }
}

/// By definition: the two halves of 256.
pub fn tile_root(tile: &[Hash]) -> Hash {
    match tile {
        [one] => *one,
        more => {
            let (left, right) = more.split_at(more.len() / 2);
            node_hash(&tile_root(left), &tile_root(right))
        }
    }
}

pub fn concatenated(hashes: &[Hash]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| *hash.as_bytes()).collect()
}

/// The hashes of all complete subtrees, by height. With them all pairs can be tried fast, although [`prove`] hashes
/// tiles.
pub struct Pyramid(pub Vec<Vec<Hash>>);

impl Pyramid {
    pub fn of(size: u64) -> Self {
        let mut heights = vec![leaves(0..size)];
        while let Some([first, second, rest @ ..]) = heights.last().map(Vec::as_slice) {
            let pairs = [&[*first, *second], rest].concat();
            heights.push(pairs.as_chunks::<2>().0.iter().map(|[left, right]| node_hash(left, right)).collect());
        }
        Self(heights)
    }

    pub fn proof(&self, elements: &[Element]) -> Vec<Hash> {
        let hash = |node: &Node| self.0[node.height as usize][node.index as usize];
        let element = |nodes: &Element| nodes.iter().rev().map(hash).reduce(|right, left| node_hash(&left, &right));
        elements.iter().map(|nodes| element(nodes).expect("an element has nodes")).collect()
    }

    pub fn root(&self, size: u64) -> Hash {
        self.proof(&[nodes::edge(size, 64)])[0]
    }
}
