//! What happened: the change feed, and webhooks.

pub mod feed;
pub mod webhooks;
