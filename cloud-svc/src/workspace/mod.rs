//! Workspaces: what one grant selects, with its storage quota and the sequence of its changes.

pub mod changes;
pub mod command;
pub mod link_domains;
pub mod list;
pub mod store;
