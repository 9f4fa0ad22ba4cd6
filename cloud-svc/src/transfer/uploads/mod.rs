//! Uploads: a file sent in chunks, which can be gone on with after any interruption, by the grant that has begun it.

pub mod begin;
pub mod cancel;
pub mod claim;
pub mod complete;
pub mod put_chunk;
pub mod read;
pub mod receive;
pub mod store;
pub mod sweep;
pub mod upload;
