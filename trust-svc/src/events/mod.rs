//! Signed market events: publish one, read one.

pub mod append;
pub mod evidence;
pub mod publication;
pub mod publish;
pub mod read;
pub mod sequencer;
pub mod store;
#[cfg(test)]
mod tests;

pub use publication::Publication;
pub use sequencer::Sequencer;
