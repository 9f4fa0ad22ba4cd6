//! Content that is kept as chunks in the blob store: what was uploaded. A manifest lists them; versions share it.

pub mod chunk;
pub mod chunk_list;
pub mod hash_state;
pub mod store;
pub mod sweep;
pub mod upload_state;
