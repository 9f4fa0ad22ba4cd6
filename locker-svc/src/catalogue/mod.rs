//! The catalogue: room prices and availability, imported by an operator or polled from an upstream.

mod content;
mod fetch;
pub mod follow;
mod import;
mod poll;
mod read;
pub mod store;
mod upstream;

pub use content::Catalogue;
pub use import::import;
pub use poll::{CHECKS, FETCH_TIMEOUT, POLL_INTERVAL, PollResult, job, measure};
pub use read::read;
pub use store::SWEEP;
pub use upstream::{FRESHNESS_LIMIT, FetchErrorKind, Upstream};
