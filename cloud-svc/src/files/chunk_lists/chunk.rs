//! A chunk of uploaded content: its row, and the key of its object in the blob store.

use diesel::prelude::*;

use crate::base::{ids::UploadId, tables::manifest_chunks};

/// A received chunk.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = manifest_chunks)]
pub struct Chunk {
    pub manifest_id: UploadId,
    /// From 0.
    pub number: i64,
    pub blob_key: String,
    /// The SHA-256 state after this chunk, as text.
    pub hash_state: String,
}

// Only objects of this manifest have the prefix, because the sweep deletes what it finds under it.
pub fn prefix(manifest: UploadId) -> String {
    format!("uploads/{manifest}")
}

// Random, so that two attempts at one chunk never write the same object.
pub fn blob_key(manifest: UploadId, number: i64, random: [u8; 16]) -> String {
    format!("{}/{number:05}-{}", prefix(manifest), hex::encode(random))
}
