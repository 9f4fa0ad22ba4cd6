//! Signers: whose signatures are accepted, for which events, from which origins and when.

pub mod list;
pub mod record;
pub mod registry;
pub mod signer;
pub mod store;

pub use record::SignerRecord;
pub use signer::{Policy, Signer};
