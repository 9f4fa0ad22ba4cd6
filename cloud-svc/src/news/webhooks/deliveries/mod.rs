//! Deliveries: messages to webhooks, each with one or more attempts.

pub mod delivery;
pub mod store;
