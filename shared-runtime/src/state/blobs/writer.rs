//! Writing a blob: in constant memory, and whole or not at all.

use actix_web::web::Bytes;
use object_store::{MultipartUpload, WriteMultipart};
use shared_model::Failure;

use super::error::failed;

/// S3 takes pieces of 5 MiB at least; a file takes them as they come.
pub(super) const PIECE_OF_AN_OBJECT: usize = 8 * 1024 * 1024;
pub(super) const PIECE_OF_A_FILE: usize = 1024 * 1024;
/// Pieces under way at a time.
const PIECES: usize = 2;

/// A blob that is being written. Dropped before [`Self::finish`], it leaves nothing that could be read.
pub struct BlobWriter(WriteMultipart);

impl BlobWriter {
    pub(super) fn new(upload: Box<dyn MultipartUpload>, piece: usize) -> Self {
        Self(WriteMultipart::new_with_chunk_size(upload, piece))
    }

    /// Adds to its end; waits while the store is slower than the source.
    pub async fn write(&mut self, chunk: Bytes) -> Result<(), Failure> {
        self.0.wait_for_capacity(PIECES).await.map_err(|error| failed("write a blob", error))?;
        self.0.put(chunk);
        Ok(())
    }

    /// Makes it durable: file and folder are on the disk, or the store has confirmed it.
    pub async fn finish(self) -> Result<(), Failure> {
        self.0.finish().await.map(drop).map_err(|error| failed("finish a blob", error))
    }

    /// Gives it up, and lets the store forget what it has of it.
    pub async fn abandon(self) -> Result<(), Failure> {
        self.0.abort().await.map_err(|error| failed("give up a blob", error))
    }
}
