//! The change feed: what happened in a workspace, in order and without gaps, for those who follow it.

pub mod cursor;
pub mod followers;
pub mod item;
pub mod read;
pub mod store;
pub mod sweep;
