//! Where a service keeps things, and how it reaches what is not its own: database, blobs, Redis, counters, the way out.

pub mod blobs;
pub mod counters;
pub mod db;
pub mod outbound;
pub mod rate_limit;
