//! Makes deliveries of changes and sends them.
//!
//! [`run`] finds webhooks with work and starts a task for each ([`sender`]), so that a slow endpoint delays no other.
//! The task claims a [`batch`] of deliveries, sends them to the [`endpoint`], and records the results with the next
//! claim.

pub mod batch;
pub mod endpoint;
pub mod enqueue;
pub mod measures;
pub mod run;
pub mod schedule;
pub mod sender;
pub mod settle;
