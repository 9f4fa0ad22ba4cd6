//! Markets: the chain of events of each market, and its state.

pub mod market;
pub mod read;

pub use market::Market;
