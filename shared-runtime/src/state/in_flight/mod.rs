//! Locks on running commands, and marks on finished ones. They keep parallel requests with one idempotency key apart,
//! and spare a repeated request its transaction.
//!
//! The idempotency record in the database decides. A lost lock or mark costs one query, nothing else.

mod local_locks;
mod lock_outcome;
mod locks;
mod redis_locks;
#[cfg(test)]
mod redis_tests;

pub use lock_outcome::LockOutcome;
pub use locks::InFlightLocks;
