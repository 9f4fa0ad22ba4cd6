//! A file as the world sees it (spec: file record).

use serde::Serialize;
use shared_model::{Etag, Timestamp};
use utoipa::ToSchema;

use super::{File, FileState, FileType};
use crate::{
    Cloud,
    ids::{FileId, VersionId, WorkspaceId},
};

/// The record of a file; all members are always there.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// The shape of this object.
    pub schema: FileSchema,
    /// The file's id.
    pub id: FileId,
    /// Whose it is.
    pub workspace_id: WorkspaceId,
    /// The folder it is in; null at the top.
    #[schema(required)]
    pub parent_id: Option<FileId>,
    /// Its name: untrusted text.
    #[schema(max_length = 190, example = "Minutes")]
    pub name: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: FileType,
    /// Its current version; null for a folder.
    #[schema(required)]
    pub current_version_id: Option<VersionId>,
    /// Names this very state of the file; send it back as `If-Match`.
    pub etag: Etag,
    /// Whether it is in the trash.
    pub state: FileState,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its record or content last changed.
    pub updated_at: Timestamp,
    /// Its page for people.
    #[schema(example = "https://cloud.example.com/f/file_42")]
    pub human_url: String,
}

/// The shape's name.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub enum FileSchema {
    /// The first.
    #[serde(rename = "service/file/v1")]
    V1,
}

/// An answer that tells of one file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FileAnswer {
    /// The file's record.
    pub file: FileRecord,
}

impl FileRecord {
    /// The record of `file`.
    pub fn of(file: File, cloud: &Cloud) -> Self {
        Self {
            schema: FileSchema::V1,
            etag: file.etag(&cloud.etag_key),
            human_url: cloud.human_url(file.id),
            id: file.id,
            workspace_id: file.workspace_id,
            parent_id: file.parent_id,
            name: file.name,
            kind: file.kind,
            current_version_id: file.current_version_id,
            state: file.state,
            created_at: file.created_at,
            updated_at: file.updated_at,
        }
    }
}
