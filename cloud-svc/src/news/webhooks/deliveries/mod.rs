//! Deliveries: what a webhook is told, each in as many attempts as it takes.

pub mod delivery;
pub mod store;
