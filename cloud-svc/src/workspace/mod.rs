//! Workspaces, their storage quota, and the log of their changes.

pub mod agents;
pub mod changes;
pub mod command;
pub mod followers;
pub mod limits;
pub mod link_domains;
pub mod list;
pub mod risk_rules;
pub mod store;
