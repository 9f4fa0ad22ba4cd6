//! Receipts of decisions: signed statements in a chain, and their verification offline.
//!
//! This crate is pure. A receipt has a statement and an Ed25519 signature over its canonical JSON (RFC 8785). Each
//! statement names the hash of the one before, and a signed head names the last. Only the members that make the chain are
//! known here; what a statement says about a decision is its writer's.

#![forbid(unsafe_code)]

pub mod chain;
mod key_id;
pub mod keys;
pub mod signer;

/// The `type` of a receipt's statement. No key of this service signs a statement of another type under this name.
pub const RECEIPT: &str = "fourfold.decision-receipt.v1";
/// The `type` of a head's statement.
pub const HEAD: &str = "fourfold.receipts-head.v1";
