//! Comments on files. A comment has its own etag: commenting does not change the etag of the file.

pub mod comment;
pub mod create;
pub mod delete;
pub mod edit;
pub mod list;
pub mod load_owned;
pub mod moved_anchors;
pub mod reopen;
pub mod resolve;
pub mod settle;
pub mod store;
