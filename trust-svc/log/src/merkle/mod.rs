//! The Merkle tree of RFC 6962 and RFC 9162.
//!
//! A tree of `n` leaves is stored as its [`Frontier`], and [`append()`] adds a batch of leaves. [`prove`] makes proofs
//! from stored hashes, and [`anchored`]
//! checks them before anybody gets them. [`verify`] needs only the proof.

pub mod anchored;
pub mod append;
pub mod frontier;
pub mod hash;
mod nodes;
pub mod prove;
pub mod size;
#[cfg(test)]
mod tests;
pub mod verify;

pub use anchored::{Consistency, Inclusion, Whole};
pub use append::{Appended, SubtreeRoot, append};
pub use frontier::Frontier;
pub use hash::{EMPTY_ROOT, Hash, leaf_hash, node_hash};
pub use prove::{HashRange, ProveError, subtree_root};
pub use size::MAX_SIZE;
