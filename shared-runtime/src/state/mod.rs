//! Where a service keeps things, and how it reaches what is not its own: database, blobs, Redis, calls to foreign hosts.

pub mod blobs;
pub mod db;
pub mod in_flight;
pub mod outbound;
pub mod rate_limit;
pub mod redis_link;
pub mod sweep;
