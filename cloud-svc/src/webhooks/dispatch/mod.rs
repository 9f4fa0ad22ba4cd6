//! Sending: makes deliveries of changes and attempts them.
//!
//! [`run`] finds webhooks with work and gives each a task of its own ([`endpoint`]), so that a slow endpoint delays no other.
//! Such a task claims a batch ([`batch`]), sends it ([`attempt`]), and writes down what came of it with the next claim.

pub mod attempt;
pub mod batch;
pub mod endpoint;
pub mod fan_out;
pub mod measures;
pub mod run;
pub mod schedule;
pub mod settle;
