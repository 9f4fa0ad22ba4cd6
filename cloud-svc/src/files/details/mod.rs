//! What the record of a file does not say. The record is closed, so details stand beside it.

pub mod include;
pub mod read;
pub mod record;
mod store;
