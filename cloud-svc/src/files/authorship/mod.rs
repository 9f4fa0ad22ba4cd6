//! Who wrote which part of a file.

pub mod kept;
pub mod read;
pub mod record;
pub mod store;
