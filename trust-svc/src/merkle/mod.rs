//! The mathematics of an append-only log: a Merkle tree as in RFC 6962 and RFC 9162, without I/O.
//!
//! A tree of `n` leaves is kept as its [`Frontier`]; [`append()`] adds a batch of leaves to it at once. Proofs are made
//! from stored hashes ([`prove`]) and [`verify`]ed without any.

pub mod append;
pub mod frontier;
pub mod hash;
mod nodes;
pub mod prove;
pub mod size;
#[cfg(test)]
mod tests;
pub mod verify;

pub use append::{Appended, SubtreeRoot, append};
pub use frontier::Frontier;
pub use hash::{EMPTY_ROOT, Hash, leaf_hash, node_hash};
pub use prove::HashRange;
pub use size::MAX_SIZE;
