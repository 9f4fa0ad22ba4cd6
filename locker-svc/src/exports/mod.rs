//! Portable packages of a room: one file or one folder, in parts that are downloaded one by one (spec: Export part listing).

pub mod build;
pub mod commands;
mod end;
mod list_parts;
pub mod manifest;
mod read_manifest;
pub mod store;
pub mod verify;

use diesel::prelude::*;
use shared_model::{Error, Failure, NextAction, Refusal, Timestamp};

use crate::{
    codes,
    ids::{ExportId, RoomId},
};

pub use end::{collect_garbage, revoke};
pub use list_parts::{DownloadGrant, PartListing, list_parts};
pub use read_manifest::read_manifest;

shared_model::text_enum! {
    /// Where an export stands: building → ready → expired | revoked; building → failed | revoked.
    pub enum ExportState {
        /// Its parts are being stored.
        Building = "building",
        /// It can be downloaded.
        Ready = "ready",
        /// Its build was given up.
        Failed = "failed",
        /// Its time is over.
        Expired = "expired",
        /// The operator has withdrawn it.
        Revoked = "revoked",
    }
}

/// An export has at most so many parts, so that its manifest fits one signed envelope.
pub const MAX_PARTS: i64 = 500;
/// Seconds after which a build may have come to its end.
const BUILDING_SECONDS: u64 = 5;

/// An export, as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Export {
    /// Its id.
    pub id: ExportId,
    /// The `sub` of the tokens that may download it.
    pub owner: String,
    /// The room that it is of.
    pub room_id: RoomId,
    /// Where it stands, as far as it was written down: one whose time is over may still be called ready.
    pub state: ExportState,
    /// What links to its parts are bound to.
    pub epoch: i64,
    /// What was packed.
    pub source: String,
    /// What to call the whole.
    pub file_name: String,
    /// The media type of the whole.
    pub content_type: String,
    /// The length of every part but the last.
    pub part_bytes: i64,
    /// How many parts; known when it is ready, as are the next three.
    pub part_count: Option<i64>,
    /// The length of the whole.
    pub bytes: Option<i64>,
    /// SHA-256 of the whole.
    pub sha256: Option<String>,
    /// The signed manifest, as JSON.
    pub manifest: Option<String>,
    /// When its build began.
    pub created_at: Timestamp,
    /// When anything of it changed last.
    pub updated_at: Timestamp,
    /// When it became ready.
    pub ready_at: Option<Timestamp>,
    /// When its time is over; never, when absent.
    pub expires_at: Option<Timestamp>,
    /// When it failed, expired or was revoked.
    pub ended_at: Option<Timestamp>,
    /// When the blob store was rid of its parts.
    pub parts_removed_at: Option<Timestamp>,
}

/// One part, as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = crate::schema::export_parts)]
pub struct Part {
    /// The export that it is of.
    pub export_id: ExportId,
    /// Its place, from 0.
    #[diesel(column_name = part_index)]
    pub index: i64,
    /// Its length.
    pub bytes: i64,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Where it rests.
    pub blob_key: String,
}

/// What is known of an export that can be downloaded.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Its record.
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
    /// Where it stands at this time.
    pub fn state_at(&self, now: Timestamp) -> ExportState {
        match self.state {
            ExportState::Ready if self.expires_at.is_some_and(|end| end <= now) => ExportState::Expired,
            state => state,
        }
    }

    /// What an owner may download now; else why not, and whether waiting helps.
    pub fn into_ready(self, now: Timestamp) -> Result<Ready, Error> {
        let refusal = match self.state_at(now) {
            ExportState::Ready => {
                let missing = || Failure::fault("an export that is ready lacks what it is");
                return Ok(Ready {
                    part_count: self.part_count.ok_or_else(missing)?,
                    bytes: self.bytes.ok_or_else(missing)?,
                    sha256: self.sha256.clone().ok_or_else(missing)?,
                    manifest: self.manifest.clone().ok_or_else(missing)?,
                    export: self,
                });
            }
            ExportState::Building => Refusal::new(&codes::EXPORT_NOT_READY)
                .next(NextAction::Wait { after_seconds: BUILDING_SECONDS })
                .header("retry-after", BUILDING_SECONDS.to_string()),
            ExportState::Failed => codes::EXPORT_FAILED.refusal(),
            ExportState::Expired => codes::EXPORT_EXPIRED.refusal(),
            ExportState::Revoked => codes::EXPORT_REVOKED.refusal(),
        };
        Err(refusal.into())
    }

    /// Where its parts rest.
    pub fn blob_prefix(&self) -> String {
        format!("exports/{}", self.id)
    }
}

/// What a part is saved as: the name of the whole when it is the only one.
pub fn part_file_name(whole: &str, index: i64, count: i64) -> String {
    if count == 1 { whole.to_owned() } else { format!("{whole}.part-{index:04}") }
}

/// The media type of a part: that of the whole when it is the only one.
pub fn part_content_type(whole: &str, count: i64) -> &str {
    if count == 1 { whole } else { "application/octet-stream" }
}
