//! Uploads: files sent in chunks. The grant that began an upload can continue it after any interruption.

pub mod begin;
pub mod cancel;
pub mod claim;
pub mod complete;
pub mod put_chunk;
pub mod read;
pub mod receive;
mod searchable_text;
pub mod store;
pub mod sweep;
pub mod upload;
