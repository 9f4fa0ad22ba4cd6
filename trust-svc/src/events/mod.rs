//! Signed market events: what they are, publishing one, reading one.

pub mod batch;
pub mod event;
pub mod evidence;
pub mod publish;
pub mod published;
pub mod read;
pub mod store;
#[cfg(test)]
mod tests;

pub use event::{Event, EventId, EventKind, MarketId};
