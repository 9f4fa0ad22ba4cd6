//! Comments on files. A comment has its own etag: commenting does not change the etag of the file.

pub mod answers;
pub mod comment;
pub mod create;
pub mod delete;
pub mod edit;
pub mod list;
pub mod list_mentions;
pub mod load_owned;
pub mod mentions;
pub mod moved_anchors;
mod named;
pub mod reopen;
pub mod resolve;
pub mod settle;
pub mod store;
