//! The log: what it keeps, and what everyone can check of it.

mod entries;
mod key;
mod proofs;
mod receipts;
mod self_check;
mod signers;
mod tiles;
