//! Writes a blob in constant memory. It becomes visible as a whole or not at all.

use actix_web::web::Bytes;
use object_store::{MultipartUpload, WriteMultipart};
use shared_model::Failure;

use super::error::failed;

// S3 requires parts of at least 5 MiB, except the last. A file has no such limit.
pub(super) const PIECE_OF_AN_OBJECT: usize = 8 * 1024 * 1024;
pub(super) const PIECE_OF_A_FILE: usize = 1024 * 1024;
const COPIED: usize = 4 * 1024;
// One part is sent while the next one fills.
const PIECES_IN_FLIGHT: usize = 2;

/// When it is dropped before [`Self::finish`], no part of it can be read.
pub struct BlobWriter(WriteMultipart);

impl BlobWriter {
    pub(super) fn new(upload: Box<dyn MultipartUpload>, piece: usize) -> Self {
        Self(WriteMultipart::new_with_chunk_size(upload, piece))
    }

    pub async fn write(&mut self, chunk: Bytes) -> Result<(), Failure> {
        self.0.wait_for_capacity(PIECES_IN_FLIGHT).await.map_err(|error| failed("write a blob", error))?;
        // Small pieces are copied, because each keeps the buffer that it was received in.
        if chunk.len() < COPIED {
            self.0.write(&chunk)
        } else {
            self.0.put(chunk)
        }
        Ok(())
    }

    /// Makes the blob durable: file and folder are synced, or the store has confirmed.
    pub async fn finish(self) -> Result<(), Failure> {
        self.0.finish().await.map(drop).map_err(|error| failed("finish a blob", error))
    }

    /// Discards the blob and its parts in the store.
    pub async fn abandon(self) -> Result<(), Failure> {
        self.0.abort().await.map_err(|error| failed("give up a blob", error))
    }
}
