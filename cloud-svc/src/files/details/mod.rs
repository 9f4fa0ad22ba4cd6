//! What the record of a file does not say. The record is closed, so details are separate.

pub mod include;
pub mod read;
pub mod record;
mod store;
