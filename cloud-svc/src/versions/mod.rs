//! Immutable versions of a file's content, kept as canonical JSON text. They are only ever inserted.

pub mod add;
pub mod content;
pub mod list;
pub mod read;
pub mod restore;
pub mod store;

/// The number of a file's first version.
pub const FIRST: i64 = 1;
