//! The log: what it stores, and what everybody can check.

mod damaged_rows;
mod entries;
mod key;
mod other_verifier;
mod proofs;
mod receipts;
pub mod self_check;
mod signers;
mod tiles;
