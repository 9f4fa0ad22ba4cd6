//! The change feed: all changes of a workspace, in order and without gaps.

pub mod cursor;
pub mod item;
pub mod read;
pub mod recent;
pub mod store;
pub mod sweep;
