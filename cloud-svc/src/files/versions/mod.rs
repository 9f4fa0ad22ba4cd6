//! Immutable versions of a file's content, kept as canonical JSON text. They are only ever inserted.

pub mod add;
pub mod list;
pub mod read;
pub mod restore;
