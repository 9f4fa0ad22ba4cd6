//! Verifying proofs, with nothing but the proof: the algorithms of RFC 9162, step by step.

use std::fmt;

use super::{
    hash::{EMPTY_ROOT, Hash, node_hash},
    size::{MAX_PROOF, MAX_SIZE},
};

/// Why a proof proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// A tree may not be so large.
    TooLarge {
        /// The size.
        size: u64,
    },
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
    /// The proof has more hashes than the path to the root has nodes.
    TooLong {
        /// How many it has.
        hashes: usize,
    },
    /// The proof ends below the root.
    TooShort {
        /// How many hashes it has.
        hashes: usize,
    },
    /// The proof leads to another root of the tree of this size.
    OtherRoot {
        /// The size of the tree.
        size: u64,
        /// The root that it must have.
        stated: Hash,
        /// The root that the proof leads to.
        proven: Hash,
    },
}

/// Checks that the tree of `size` leaves with this root has the leaf at `index` (RFC 9162 §2.1.3.2).
pub fn inclusion(index: u64, size: u64, leaf: Hash, path: &[Hash], root: Hash) -> Result<(), ProofError> {
    let hashes = bounded(size, path)?;
    if index >= size {
        return Err(ProofError::NoLeaf { index, size });
    }
    let mut at = Place { node: index, last: size - 1 };
    let mut proven = leaf;
    for sibling in path {
        proven = if at.is_right(hashes)? { node_hash(sibling, &proven) } else { node_hash(&proven, sibling) };
        at.rise();
    }
    at.must_be_root(hashes)?;
    must_be(size, root, proven)
}

/// Checks that the tree of `second` leaves begins with that of `first` leaves, given the root of each (RFC 9162
/// §2.1.4.2). The proof is empty when both are of one size, whose roots must be the same, and when the first is empty.
pub fn consistency(
    first: u64,
    second: u64,
    proof: &[Hash],
    first_root: Hash,
    second_root: Hash,
) -> Result<(), ProofError> {
    let hashes = bounded(second, proof)?;
    if first > second {
        return Err(ProofError::NotLarger { first, second });
    }
    if first == 0 || first == second {
        if hashes > 0 {
            return Err(ProofError::TooLong { hashes });
        }
        return must_be(first, first_root, if first == 0 { EMPTY_ROOT } else { second_root });
    }
    let mut at = Place { node: first - 1, last: second - 1 };
    while at.node & 1 == 1 {
        at.rise();
    }
    // A first tree that is complete is a node of the second: the proof leaves it out.
    let (seed, path) = match proof {
        _ if first.is_power_of_two() => (first_root, proof),
        [seed, path @ ..] => (*seed, path),
        [] => return Err(ProofError::TooShort { hashes }),
    };
    let (mut first_proven, mut second_proven) = (seed, seed);
    for sibling in path {
        if at.is_right(hashes)? {
            first_proven = node_hash(sibling, &first_proven);
            second_proven = node_hash(sibling, &second_proven);
        } else {
            second_proven = node_hash(&second_proven, sibling);
        }
        at.rise();
    }
    at.must_be_root(hashes)?;
    must_be(first, first_root, first_proven)?;
    must_be(second, second_root, second_proven)
}

/// A node on the way up (`fn` of the RFC), and the last node of its level (`sn`).
struct Place {
    node: u64,
    last: u64,
}

impl Place {
    /// Whether the sibling is on the left. A last node without one rises to where it has one.
    fn is_right(&mut self, hashes: usize) -> Result<bool, ProofError> {
        if self.last == 0 {
            return Err(ProofError::TooLong { hashes });
        }
        if self.node == self.last {
            while self.node & 1 == 0 {
                self.rise();
            }
        }
        Ok(self.node & 1 == 1)
    }

    fn rise(&mut self) {
        self.node >>= 1;
        self.last >>= 1;
    }

    fn must_be_root(&self, hashes: usize) -> Result<(), ProofError> {
        if self.last == 0 { Ok(()) } else { Err(ProofError::TooShort { hashes }) }
    }
}

/// The length of a proof within a tree of this size, before anything is hashed.
fn bounded(size: u64, proof: &[Hash]) -> Result<usize, ProofError> {
    match proof.len() {
        _ if size > MAX_SIZE => Err(ProofError::TooLarge { size }),
        hashes if hashes > MAX_PROOF => Err(ProofError::TooLong { hashes }),
        hashes => Ok(hashes),
    }
}

fn must_be(size: u64, stated: Hash, proven: Hash) -> Result<(), ProofError> {
    if stated == proven { Ok(()) } else { Err(ProofError::OtherRoot { size, stated, proven }) }
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { size } => write!(f, "a tree must have at most {MAX_SIZE} leaves, has {size}"),
            Self::NoLeaf { index, size } => {
                write!(f, "the index must be below the size of the tree, {size}, and is {index}")
            }
            Self::NotLarger { first, second } => {
                write!(f, "the first size must be at most the second, {second}, and is {first}")
            }
            Self::TooLong { hashes } => write!(f, "the proof goes on above the root: its {hashes} hashes are too many"),
            Self::TooShort { hashes } => write!(f, "the proof ends below the root: its {hashes} hashes are too few"),
            Self::OtherRoot { size, stated, proven } => {
                write!(f, "the root of the tree of {size} leaves must be {stated}, and the proof leads to {proven}")
            }
        }
    }
}

impl std::error::Error for ProofError {}
