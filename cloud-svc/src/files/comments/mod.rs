//! Comments on files (spec: Comment record). A comment has an etag of its own; the file is not changed.

pub mod comment;
pub mod create;
pub mod delete;
pub mod edit;
pub mod list;
pub mod load_owned;
pub mod moved_anchors;
pub mod reopen;
pub mod resolve;
pub mod store;
