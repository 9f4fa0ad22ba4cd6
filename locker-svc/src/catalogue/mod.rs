//! What a room costs and whether it can be had (spec: Catalogue): imported, or polled from an upstream.

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
pub use poll::{FETCH_TIMEOUT, INTERVAL, PollResult, job, measure};
pub use read::read;
pub use upstream::{FRESH, FetchErrorKind, Upstream};
