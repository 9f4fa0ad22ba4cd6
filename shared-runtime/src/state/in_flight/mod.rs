//! Locks on commands that are being carried out, and the responses of those that are done: what keeps parallel requests
//! with one idempotency key apart, and saves a repeated one the database.
//!
//! The idempotency record in the database decides; a lock or a response that is lost costs a query and nothing else.

mod local_locks;
mod locks;
mod redis_locks;
#[cfg(test)]
mod redis_tests;
mod status;

pub use locks::InFlightLocks;
pub use status::InFlight;
