//! Receipts of decisions about plans: a signed chain for each workspace.

pub mod at_start;
pub mod head;
pub mod keys;
pub mod list;
pub mod receipt;
pub mod store;
pub mod write;
