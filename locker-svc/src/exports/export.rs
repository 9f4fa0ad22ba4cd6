//! The rows of exports and their parts.

use diesel::prelude::*;
use shared_model::{Error, Failure, Timestamp};

use crate::{
    codes,
    ids::{ExportId, RoomId},
    tables::{export_parts, exports},
};

shared_model::text_enum! {
    /// The state of an export: building → ready → expired | revoked; building → failed | revoked.
    pub enum ExportState {
        Building = "building",
        Ready = "ready",
        /// Its build was abandoned.
        Failed = "failed",
        /// `expires_at` has passed.
        Expired = "expired",
        Revoked = "revoked",
    }
}

/// The name under which a client stores the manifest, next to the parts.
pub const MANIFEST_FILE: &str = "manifest.json";

// The manifest of 500 parts fits one signed envelope.
pub const MAX_PARTS: i64 = 500;

// Without the manifest: it can have 200 KB, and only `read_manifest` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
pub struct Export {
    pub id: ExportId,
    /// The `sub` of the tokens that may download it.
    pub owner: String,
    /// The room that the export belongs to.
    pub room_id: RoomId,
    // No process marks an export at the moment when it expires, so read [`Self::state_at`] instead.
    pub state: ExportState,
    // Download links contain it. Raising it makes them invalid without a table of links.
    pub epoch: i64,
    pub source: String,
    pub file_name: String,
    pub content_type: String,
    // Every part but the last has this length.
    pub part_bytes: i64,
    /// Known when the export is ready, like the next two.
    pub part_count: Option<i64>,
    pub bytes: Option<i64>,
    pub sha256: Option<String>,
    pub created_at: Timestamp,
    /// When the row or its parts last changed. Shows whether a build is still running.
    pub updated_at: Timestamp,
    pub ready_at: Option<Timestamp>,
    /// `None` for an export that never expires.
    pub expires_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub parts_removed_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = export_parts)]
pub struct ExportPart {
    pub export_id: ExportId,
    #[diesel(column_name = part_index)]
    pub index: i64,
    pub bytes: i64,
    pub sha256: String,
    pub blob_key: String,
}

/// A ready export, with the members that every ready export has.
#[derive(Clone, Debug)]
pub struct ReadyExport {
    pub export: Export,
    pub part_count: i64,
    pub bytes: i64,
    pub sha256: String,
}

impl Export {
    pub fn state_at(&self, now: Timestamp) -> ExportState {
        match self.state {
            ExportState::Ready if self.expires_at.is_some_and(|end| end <= now) => ExportState::Expired,
            state => state,
        }
    }

    /// The export if it can be downloaded now; otherwise the refusal that says why not.
    pub fn into_ready(self, now: Timestamp) -> Result<ReadyExport, Error> {
        let code = match self.state_at(now) {
            ExportState::Ready => {
                let missing = || Failure::fault("a ready export lacks a column");
                return Ok(ReadyExport {
                    part_count: self.part_count.ok_or_else(missing)?,
                    bytes: self.bytes.ok_or_else(missing)?,
                    sha256: self.sha256.clone().ok_or_else(missing)?,
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

    pub fn blob_prefix(&self) -> String {
        format!("exports/{}", self.id)
    }
}

/// The name of a part. The only part has the name of the whole, so that it can be used as it is. Not if that is the
/// name of the manifest beside it.
pub fn part_file_name(whole: &str, index: i64, count: i64) -> String {
    if count == 1 && whole != MANIFEST_FILE { whole.to_owned() } else { format!("{whole}.part-{index:04}") }
}

/// The media type of a part. A piece of a tar archive is not a tar archive.
pub fn part_content_type(whole: &str, count: i64) -> &str {
    if count == 1 { whole } else { "application/octet-stream" }
}
