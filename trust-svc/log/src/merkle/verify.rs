//! Verifies proofs with the algorithms of RFC 9162, step by step. Needs nothing but the proof.

use std::fmt;

use super::{
    hash::{EMPTY_ROOT, Hash, node_hash},
    size::MAX_SIZE,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofError {
    TooLarge {
        size: u64,
    },
    NoLeaf {
        index: u64,
        size: u64,
    },
    /// Only a larger tree can be consistent with a smaller one.
    NotLarger {
        first: u64,
        second: u64,
    },
    /// The proof has more hashes than the path to the root.
    TooLong {
        hashes: usize,
    },
    TooShort {
        hashes: usize,
    },
    /// The proof leads to another root.
    OtherRoot {
        size: u64,
        stated: Hash,
        proven: Hash,
    },
}

/// Checks that the tree with this size and root has the leaf at `index` (RFC 9162 §2.1.3.2).
pub fn inclusion(index: u64, size: u64, leaf: Hash, path: &[Hash], root: Hash) -> Result<(), ProofError> {
    let hashes = path.len();
    check_size(size)?;
    if index >= size {
        return Err(ProofError::NoLeaf { index, size });
    }
    let mut at = PathNode { node: index, last: size - 1 };
    let mut proven = leaf;
    for sibling in path {
        proven = if at.is_right(hashes)? { node_hash(sibling, &proven) } else { node_hash(&proven, sibling) };
        at.rise();
    }
    at.must_be_root(hashes)?;
    must_be(size, root, proven)
}

/// Checks that the tree of `second` leaves begins with the tree of `first` leaves, given both roots (RFC 9162
/// §2.1.4.2). The proof is empty if the sizes are equal or `first` is 0.
pub fn consistency(
    first: u64,
    second: u64,
    proof: &[Hash],
    first_root: Hash,
    second_root: Hash,
) -> Result<(), ProofError> {
    let hashes = proof.len();
    check_size(second)?;
    if first > second {
        return Err(ProofError::NotLarger { first, second });
    }
    if first == 0 || first == second {
        if hashes > 0 {
            return Err(ProofError::TooLong { hashes });
        }
        return must_be(first, first_root, if first == 0 { EMPTY_ROOT } else { second_root });
    }
    let mut at = PathNode { node: first - 1, last: second - 1 };
    while at.node & 1 == 1 {
        at.rise();
    }
    // A complete first tree is a node of the second one, and its root is known: the proof leaves it out.
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

/// A node on the path upwards (`fn` of the RFC), and the last node of its level (`sn`).
struct PathNode {
    node: u64,
    last: u64,
}

impl PathNode {
    // Above the root there is nothing to hash: however long a proof is, it costs no more than the longest valid one.
    //
    // A last node of an even position has no sibling. It moves up until it has one, and that one is on its left.
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

fn check_size(size: u64) -> Result<(), ProofError> {
    if size > MAX_SIZE { Err(ProofError::TooLarge { size }) } else { Ok(()) }
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
            Self::TooLong { hashes } => write!(f, "the proof is too long: its {hashes} hashes lead above the root"),
            Self::TooShort { hashes } => write!(f, "the proof ends below the root: its {hashes} hashes are too few"),
            Self::OtherRoot { size, stated, proven } => {
                write!(f, "the root of the tree of {size} leaves must be {stated}, and the proof leads to {proven}")
            }
        }
    }
}

impl std::error::Error for ProofError {}
