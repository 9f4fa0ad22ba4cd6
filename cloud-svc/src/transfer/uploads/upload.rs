//! An upload: its row, and the record that clients see.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{Failure, NextAction, Refusal, Timestamp};
use shared_runtime::Answer;
use utoipa::ToSchema;

use crate::{
    base::{
        codes,
        ids::{FileId, UploadId, VersionId},
        limits::UPLOAD_CHUNK_BYTES,
        links::FileLinks,
        tables::uploads,
    },
    files::chunk_lists::{
        chunk_list::{chunk_bytes, chunk_count},
        upload_state::UploadState,
    },
};

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
pub struct Upload {
    pub id: UploadId,
    /// The name of the new file.
    pub name: String,
    /// The client's own media type.
    pub mime: String,
    pub size: i64,
    /// The SHA-256 that the client declared.
    pub sha256: String,
    /// The folder of a new file.
    pub parent_id: Option<FileId>,
    /// The file that gets a version.
    #[diesel(embed)]
    pub target: Target,
    pub state: UploadState,
    /// The index of the next chunk.
    pub next_chunk_index: i64,
    /// Bytes of the chunks before it.
    pub received_bytes: i64,
    /// The file that it became, or became a version of.
    pub file_id: Option<FileId>,
    pub version_id: Option<VersionId>,
    /// When it stops accepting chunks.
    pub expires_at: Timestamp,
}

/// The file that gets a version, in the state that the uploader saw; empty for a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = uploads)]
pub struct Target {
    #[diesel(column_name = target_id)]
    pub id: Option<FileId>,
    /// The current version at the beginning.
    #[diesel(column_name = seen_version_id)]
    pub version: Option<VersionId>,
    /// The revision of the record at the beginning.
    #[diesel(column_name = seen_meta_revision)]
    pub meta_revision: Option<i64>,
}

impl Upload {
    // An expired upload is cancelled, even if the sweep has not updated its row yet.
    pub fn state_at(&self, now: Timestamp) -> UploadState {
        match self.state {
            UploadState::Pending if self.expires_at <= now => UploadState::Cancelled,
            state => state,
        }
    }

    /// `None` if the upload has no such chunk.
    pub fn bytes_of(&self, index: i64) -> Option<i64> {
        (0..chunk_count(self.size)).contains(&index).then(|| chunk_bytes(self.size, index))
    }

    /// Whether all chunks were received.
    pub fn is_whole(&self) -> bool {
        self.next_chunk_index == chunk_count(self.size)
    }

    /// Send the missing chunk, or read the upload.
    pub fn next_action(&self, links: &FileLinks, now: Timestamp) -> NextAction {
        if self.state_at(now) == UploadState::Pending && !self.is_whole() {
            let index = self.next_chunk_index;
            NextAction::SendChunk { index, href: links.url(&format!("/v1/uploads/{}/chunks/{index}", self.id)) }
        } else {
            NextAction::Refresh { href: links.url(&format!("/v1/uploads/{}", self.id)), etag: None }
        }
    }

    /// 409: the state of the upload does not allow this.
    pub fn wrong_state(&self, links: &FileLinks, now: Timestamp) -> Refusal {
        let message = match self.state_at(now) {
            UploadState::Pending => format!(
                "{} of {} chunks were received; the next one has index {}.",
                self.next_chunk_index,
                chunk_count(self.size),
                self.next_chunk_index
            ),
            UploadState::Completed => "The upload is completed.".to_owned(),
            UploadState::Cancelled if self.state == UploadState::Pending => {
                format!("The upload expired at {} and is cancelled; begin another one.", self.expires_at)
            }
            UploadState::Cancelled => "The upload is cancelled; begin another one.".to_owned(),
        };
        codes::UPLOAD_STATE.because(message).next(self.next_action(links, now))
    }
}

/// An upload. All members are always present.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct UploadRecord {
    pub id: UploadId,
    /// The state of the upload. An expired one is cancelled.
    pub state: UploadState,
    /// The name of the file; untrusted.
    #[schema(max_length = 190, example = "Drawings.pdf")]
    pub name: String,
    /// The client's own media type, which is not checked.
    #[schema(example = "application/pdf")]
    pub mime: String,
    #[schema(minimum = 0, maximum = 1_073_741_824, example = 2_621_440)]
    pub size: i64,
    /// The SHA-256 that the client declared.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub sha256: String,
    /// Size of each chunk except the last.
    #[schema(minimum = 1_048_576, maximum = 1_048_576, example = 1_048_576)]
    pub chunk_bytes: i64,
    /// The number of chunks.
    #[schema(minimum = 0, example = 3)]
    pub chunk_count: i64,
    /// Bytes of all chunks before the next one.
    #[schema(minimum = 0, example = 1_048_576)]
    pub received_bytes: i64,
    /// The index of the next chunk.
    #[schema(minimum = 0, example = 1)]
    pub next_chunk_index: i64,
    /// When the upload stops accepting chunks.
    pub expires_at: Timestamp,
    /// The file that it became, or became a version of. The file may have been purged since.
    #[schema(required)]
    pub file_id: Option<FileId>,
    #[schema(required)]
    pub version_id: Option<VersionId>,
    /// The URL of a chunk, with `{index}` for its index.
    #[schema(example = "https://cloud.example.com/v1/uploads/upl_0123456789abcdef0123456789abcdef/chunks/{index}")]
    pub chunk_url_template: String,
    #[schema(example = "PUT")]
    pub chunk_method: ChunkMethod,
    /// How a chunk is authorized: by a token of the same grant. Never a token itself.
    #[schema(example = "bearer_grant")]
    pub authorization: &'static str,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub enum ChunkMethod {
    #[serde(rename = "PUT")]
    Put,
}

impl UploadRecord {
    pub fn new(upload: Upload, links: &FileLinks, now: Timestamp) -> Self {
        Self {
            state: upload.state_at(now),
            chunk_url_template: links.url(&format!("/v1/uploads/{}/chunks/{{index}}", upload.id)),
            id: upload.id,
            name: upload.name,
            mime: upload.mime,
            size: upload.size,
            sha256: upload.sha256,
            chunk_bytes: UPLOAD_CHUNK_BYTES,
            chunk_count: chunk_count(upload.size),
            received_bytes: upload.received_bytes,
            next_chunk_index: upload.next_chunk_index,
            expires_at: upload.expires_at,
            file_id: upload.file_id,
            version_id: upload.version_id,
            chunk_method: ChunkMethod::Put,
            authorization: "bearer_grant",
        }
    }
}

/// One upload.
#[derive(Serialize, ToSchema)]
pub struct UploadAnswer {
    pub upload: UploadRecord,
}

impl UploadAnswer {
    pub fn ok(upload: Upload, links: &FileLinks, now: Timestamp) -> Result<Answer<Self>, Failure> {
        Answer::ok(&Self { upload: UploadRecord::new(upload, links, now) })
    }
}
