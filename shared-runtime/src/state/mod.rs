//! Everything outside of the process: database, blobs, Redis, calls to other hosts; and what callers may use of it.

pub mod blobs;
pub mod bounds;
pub mod db;
pub mod in_flight;
pub mod outbound;
pub mod rate_limit;
pub mod redis_link;
pub mod sweep;
