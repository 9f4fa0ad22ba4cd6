//! An export and its parts, as they are stored.

use diesel::prelude::*;
use shared_model::{Error, Failure, Timestamp};

use crate::{
    codes,
    ids::{ExportId, RoomId},
    schema::export_parts,
};

shared_model::text_enum! {
    /// The state of an export: building → ready → expired | revoked; building → failed | revoked.
    pub enum ExportState {
        /// Its parts are being stored.
        Building = "building",
        /// It can be downloaded.
        Ready = "ready",
        /// Its build was abandoned.
        Failed = "failed",
        /// It has passed `expires_at`.
        Expired = "expired",
        /// The operator has withdrawn it.
        Revoked = "revoked",
    }
}

/// Parts of an export at most, so that its manifest fits one signed envelope.
pub const MAX_PARTS: i64 = 500;

/// A row of `exports`.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Export {
    /// The primary key.
    pub id: ExportId,
    /// The `sub` of the tokens that may download it.
    pub owner: String,
    /// The room that was packed.
    pub room_id: RoomId,
    /// The state as stored: nothing marks an export at the instant it expires, so [`Self::state_at`] decides.
    pub state: ExportState,
    /// Download links are bound to it: raising it voids them.
    pub epoch: i64,
    /// The absolute path of what was packed.
    pub source: String,
    /// The file name of the whole.
    pub file_name: String,
    /// The media type of the whole.
    pub content_type: String,
    /// The length of every part but the last.
    pub part_bytes: i64,
    /// How many parts; known when the export is ready, as are the next three.
    pub part_count: Option<i64>,
    /// The length of the whole.
    pub bytes: Option<i64>,
    /// SHA-256 of the whole.
    pub sha256: Option<String>,
    /// The signed manifest, as JSON.
    pub manifest: Option<String>,
    /// When the build began.
    pub created_at: Timestamp,
    /// When the row or its parts last changed.
    pub updated_at: Timestamp,
    /// When it became ready.
    pub ready_at: Option<Timestamp>,
    /// When it expires; absent for one that never does.
    pub expires_at: Option<Timestamp>,
    /// When it failed, expired or was revoked.
    pub ended_at: Option<Timestamp>,
    /// When its parts were removed from the blob store.
    pub parts_removed_at: Option<Timestamp>,
}

/// A row of `export_parts`.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = export_parts)]
pub struct Part {
    /// The export that it belongs to.
    pub export_id: ExportId,
    /// Its position, from 0.
    #[diesel(column_name = part_index)]
    pub index: i64,
    /// Its length.
    pub bytes: i64,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its key in the blob store.
    pub blob_key: String,
}

/// An export that can be downloaded, with what is known of it from then on.
#[derive(Clone, Debug)]
pub struct ReadyExport {
    /// The row.
    pub export: Export,
    /// How many parts.
    pub part_count: i64,
    /// The length of the whole.
    pub bytes: i64,
    /// SHA-256 of the whole.
    pub sha256: String,
    /// The signed manifest, as JSON.
    pub manifest: String,
}

impl Export {
    /// The state at this time.
    pub fn state_at(&self, now: Timestamp) -> ExportState {
        match self.state {
            ExportState::Ready if self.expires_at.is_some_and(|end| end <= now) => ExportState::Expired,
            state => state,
        }
    }

    /// The export as its owner may download it now; else the refusal that says why not.
    pub fn into_ready(self, now: Timestamp) -> Result<ReadyExport, Error> {
        let code = match self.state_at(now) {
            ExportState::Ready => {
                let missing = || Failure::fault("a ready export lacks a column");
                return Ok(ReadyExport {
                    part_count: self.part_count.ok_or_else(missing)?,
                    bytes: self.bytes.ok_or_else(missing)?,
                    sha256: self.sha256.clone().ok_or_else(missing)?,
                    manifest: self.manifest.clone().ok_or_else(missing)?,
                    export: self,
                });
            }
            ExportState::Building => &codes::EXPORT_NOT_READY,
            ExportState::Failed => &codes::EXPORT_FAILED,
            ExportState::Expired => &codes::EXPORT_EXPIRED,
            ExportState::Revoked => &codes::EXPORT_REVOKED,
        };
        Err(code.refusal().into())
    }

    /// What the keys of its blobs begin with.
    pub fn blob_prefix(&self) -> String {
        format!("exports/{}", self.id)
    }
}

/// The file name of a part: that of the whole when it is the only one.
pub fn part_file_name(whole: &str, index: i64, count: i64) -> String {
    if count == 1 { whole.to_owned() } else { format!("{whole}.part-{index:04}") }
}

/// The media type of a part: that of the whole when it is the only one.
pub fn part_content_type(whole: &str, count: i64) -> &str {
    if count == 1 { whole } else { "application/octet-stream" }
}
