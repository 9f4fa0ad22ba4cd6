//! Signed markets events: what they are, publishing one, reading one.

pub mod event;
pub mod publication;
pub mod publish;
pub mod read;
pub mod store;
pub mod view;

pub use event::{Event, EventId, Kind};
pub use publication::Publication;
