//! Locks on commands that are being carried out, and marks on those that are done: what keeps parallel requests with one
//! idempotency key apart, and saves a repeated one from being tried again.
//!
//! The idempotency record in the database decides; a lock or a mark that is lost costs a query and nothing else.

mod local_locks;
mod locks;
mod redis_locks;
#[cfg(test)]
mod redis_tests;
mod status;

pub use locks::InFlightLocks;
pub use status::InFlight;
