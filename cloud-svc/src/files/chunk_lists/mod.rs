//! Uploaded content, stored as chunks in the blob store. A chunk list names the chunks; several versions may share one.

pub mod chunk;
pub mod chunk_list;
pub mod store;
pub mod sweep;
pub mod upload_state;
