//! Signers: whose signatures are accepted, for what, from where and when.

pub mod list;
pub mod registry;
pub mod shown;
pub mod signer;
pub mod store;

pub use signer::{KeyId, Policy, Signer};
