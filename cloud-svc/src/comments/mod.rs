//! Comments on files (spec: Comment record). A comment has an etag of its own; the file is not changed.

pub mod comment;
pub mod create;
pub mod delete;
pub mod edit;
pub mod list;
pub mod moved_anchors;
mod own;
pub mod reopen;
pub mod resolve;
pub mod store;
