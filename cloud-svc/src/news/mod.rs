//! How clients learn of changes: the change feed, and webhooks.

pub mod feed;
pub mod webhooks;
