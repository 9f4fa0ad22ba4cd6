//! Markets: the chain of events of each, and where it stands.

pub mod market;
pub mod read;
pub mod store;

pub use market::{Market, MarketState};
