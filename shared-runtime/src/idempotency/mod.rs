//! Commands that happen once: the key's row, the effect and the stored answer are in one commit.

mod keyed_operations;
mod lookup;
mod once;
mod record;
mod request;
mod run;
mod stored;
mod sweep;
#[cfg(test)]
mod tests;

pub use keyed_operations::KeyedOperations;
pub use lookup::{Command, CommandState, CommandsOfKey, Key, LOOKUP_DESCRIPTION, has_happened, lookup, was_used};
pub use once::Once;
pub use sweep::SWEEP;
