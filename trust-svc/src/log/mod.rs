//! The log: accepted request bodies in canonical form, numbered without gaps, only ever appended to.

pub mod append;

pub use append::{append, take_turn};
