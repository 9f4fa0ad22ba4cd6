//! Sending: makes deliveries of changes and attempts them.
//!
//! [`run`] finds webhooks with work and gives each a task of its own ([`sender`]), so that a slow endpoint delays no other.
//! The task claims a [`batch`] of deliveries, sends them to the [`endpoint`], and records the results with its next claim.

pub mod batch;
pub mod endpoint;
pub mod enqueue;
pub mod measures;
pub mod run;
pub mod schedule;
pub mod sender;
pub mod settle;
