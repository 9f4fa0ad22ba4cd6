//! A chunk of a manifest: its row, and where its bytes are.

use diesel::prelude::*;

use crate::base::{ids::UploadId, tables::manifest_chunks};

/// A chunk that has been received.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = manifest_chunks)]
pub struct Chunk {
    pub manifest_id: UploadId,
    /// Its number, from 0.
    pub number: i64,
    /// The object that it is.
    pub blob_key: String,
    /// The hash up to its end, as text.
    pub hash_state: String,
}

/// Under which the objects of a manifest lie, and nothing else.
pub fn prefix(manifest: UploadId) -> String {
    format!("uploads/{manifest}")
}

/// An object that nobody else writes: each attempt at a chunk has its own.
pub fn blob_key(manifest: UploadId, number: i64, random: [u8; 16]) -> String {
    format!("{}/{number:05}-{}", prefix(manifest), hex::encode(random))
}
