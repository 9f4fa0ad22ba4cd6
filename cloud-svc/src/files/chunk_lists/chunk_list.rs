//! The chunk list of uploaded content: its row, and the sizes of its chunks.

use diesel::prelude::*;
use shared_model::Failure;

use crate::base::{ids::UploadId, limits::UPLOAD_CHUNK_BYTES, tables::manifests};
use cloud_content::file_type::FileType;

pub const UNKNOWN: &str = "application/octet-stream";
const PDF: &str = "application/pdf";

/// Content that is stored as chunks.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = manifests)]
pub struct ChunkList {
    /// The id of the upload that made it.
    pub id: UploadId,
    pub bytes: i64,
    /// 64 hexadecimal digits.
    pub sha256: String,
    /// Recognized from the first bytes.
    pub media_type: String,
}

impl ChunkList {
    pub fn file_type(&self) -> FileType {
        if self.media_type == PDF { FileType::Pdf } else { FileType::UploadedFile }
    }

    pub fn digest(&self) -> Result<[u8; 32], Failure> {
        let mut digest = [0; 32];
        hex::decode_to_slice(&self.sha256, &mut digest)
            .map_err(|_| Failure::fault("a stored hash is not hexadecimal"))?;
        Ok(digest)
    }
}

pub fn chunk_count(bytes: i64) -> i64 {
    // Neither is negative.
    (bytes + UPLOAD_CHUNK_BYTES - 1) / UPLOAD_CHUNK_BYTES
}

pub fn chunk_bytes(bytes: i64, number: i64) -> i64 {
    (bytes - number * UPLOAD_CHUNK_BYTES).clamp(0, UPLOAD_CHUNK_BYTES)
}

// The client's own media type is not trusted.
pub fn recognized(head: &[u8]) -> &'static str {
    infer::get(head).map_or(UNKNOWN, |kind| kind.mime_type())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_is_cut_into_chunks_of_a_mebibyte() {
        for (bytes, count, last) in
            [(0, 0, 0), (1, 1, 1), (1_048_575, 1, 1_048_575), (1_048_576, 1, 1_048_576), (1_048_577, 2, 1)]
        {
            assert_eq!(chunk_count(bytes), count);
            assert_eq!(chunk_bytes(bytes, (count - 1).max(0)), last, "{bytes}");
            assert_eq!((0..count).map(|number| chunk_bytes(bytes, number)).sum::<i64>(), bytes);
        }
    }

    #[test]
    fn what_it_is_is_seen_and_not_believed() {
        assert_eq!(recognized(b"%PDF-1.7\n"), PDF);
        assert_eq!(recognized(b"\x89PNG\r\n\x1a\n"), "image/png");
        assert_eq!(recognized(b"what is this?"), UNKNOWN);
        assert_eq!(recognized(b""), UNKNOWN);
    }
}
