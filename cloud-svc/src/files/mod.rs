//! Files: their records, which every kind of content has in common.

pub mod file;
pub mod name_key;
pub mod store;
