//! A file: its row, the record that clients see, and its etag.

use crate::base::links::FileLinks;
use diesel::{dsl::Nullable, prelude::*};
use serde::{Deserialize, Serialize};
use shared_model::{Code, Etag, Failure, NextAction, Refusal, Timestamp};
use shared_runtime::Answer;
use utoipa::ToSchema;

use crate::base::{
    ids::{FileId, VersionId, WorkspaceId},
    tables::{files, versions},
};
use cloud_content::file_type::FileType;

/// A row of `files` joined with its current version.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
pub struct File {
    pub id: FileId,
    pub workspace_id: WorkspaceId,
    /// `None` at the top.
    pub parent_id: Option<FileId>,
    /// In normalization form C.
    pub name: String,
    pub kind: FileType,
    /// `None` for a folder.
    #[diesel(select_expression = versions::id.nullable(), select_expression_type = Nullable<versions::id>)]
    pub current_version_id: Option<VersionId>,
    /// The number of the current version among the versions of the file.
    #[diesel(column_name = current_version)]
    pub version_number: Option<i64>,
    /// Counts the changes of the record, but not new versions.
    pub meta_revision: i64,
    pub state: FileState,
    /// The number of the last change of this file in the workspace.
    pub change_sequence: i64,
    pub created_at: Timestamp,
    /// When the record or the content last changed.
    pub updated_at: Timestamp,
}

shared_model::text_enum! {
    /// Whether a file is in the trash.
    pub enum FileState {
        Active = "active",
        /// In the trash, and still readable.
        Trashed = "trashed",
    }
}

/// The record of a file. All members are always present.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// The version of this object's shape.
    pub schema: FileSchema,
    pub id: FileId,
    pub workspace_id: WorkspaceId,
    /// The folder that contains the file; null at the top.
    #[schema(required)]
    pub parent_id: Option<FileId>,
    /// Untrusted text.
    #[schema(max_length = 190, example = "Minutes")]
    pub name: String,
    #[serde(rename = "type")]
    pub kind: FileType,
    /// The current version; null for a folder.
    #[schema(required)]
    pub current_version_id: Option<VersionId>,
    /// Identifies this state of the file; send it back as `If-Match`.
    pub etag: Etag,
    /// Whether the file is in the trash.
    pub state: FileState,
    pub created_at: Timestamp,
    /// When the record or the content last changed.
    pub updated_at: Timestamp,
    #[schema(example = "https://cloud.example.com/f/file_42")]
    pub human_url: String,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub enum FileSchema {
    #[serde(rename = "service/file/v1")]
    V1,
}

/// One file.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FileAnswer {
    pub file: FileRecord,
}

impl FileLinks {
    // Made of the version's id, not of its content. After an undo to the same content, an old tag still does not match.
    pub fn etag(&self, file: &File) -> Etag {
        self.etag_of(file.id, file.current_version_id, file.meta_revision)
    }

    /// A refusal because of the file's state; the client should read the file again.
    pub fn refresh(&self, code: &'static Code, file: &File) -> Refusal {
        let etag = Some(self.etag(file).to_string());
        code.refusal().next(NextAction::Refresh { href: self.href(file.id), etag })
    }

    pub fn answer(&self, file: File) -> Result<Answer<FileAnswer>, Failure> {
        let file = self.record(file);
        let etag = file.etag;
        Ok(Answer::ok(&FileAnswer { file })?.etag(etag))
    }

    pub fn record(&self, file: File) -> FileRecord {
        FileRecord {
            schema: FileSchema::V1,
            etag: self.etag(&file),
            human_url: self.url(&format!("/f/{}", file.id)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_etag_follows_version_and_record_and_nothing_else() {
        let links = |key: u8| FileLinks::for_tests(key);
        let file = File {
            id: FileId::from_number(1),
            workspace_id: WorkspaceId::from_number(1),
            parent_id: None,
            name: "a".to_owned(),
            kind: FileType::Document,
            current_version_id: Some(VersionId::from_number(1)),
            version_number: Some(1),
            meta_revision: 1,
            state: FileState::Active,
            change_sequence: 1,
            created_at: Timestamp::from_seconds(0),
            updated_at: Timestamp::from_seconds(0),
        };
        let tag = links(7).etag(&file);
        let other = |change: fn(&mut File)| {
            let mut other = file.clone();
            change(&mut other);
            links(7).etag(&other)
        };
        assert_ne!(tag, other(|file| file.id = FileId::from_number(2)));
        assert_ne!(tag, other(|file| file.current_version_id = Some(VersionId::from_number(2))));
        assert_ne!(tag, other(|file| file.meta_revision = 2));
        assert_eq!(tag, other(|file| file.updated_at = Timestamp::from_seconds(9)));
        assert_ne!(tag, links(8).etag(&file));
    }
}
