//! A file: its row, its record as clients see it (spec: file record), and the tag that names a state of it.

use diesel::{dsl::Nullable, prelude::*};
use serde::Serialize;
use shared_model::{Code, Etag, Failure, NextAction, Refusal, Secret, Timestamp};
use shared_runtime::{Answer, Context};
use utoipa::ToSchema;

use crate::{
    ids::{CommentId, FileId, VersionId, WorkspaceId},
    schema::{files, versions},
};

/// A file of a workspace, selected from `files` joined with the current one of `versions`.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
pub struct File {
    /// Its id.
    pub id: FileId,
    /// Whose it is.
    pub workspace_id: WorkspaceId,
    /// The folder it is in; none at the top.
    pub parent_id: Option<FileId>,
    /// Its name, in normalization form C.
    pub name: String,
    /// What it is.
    pub kind: FileType,
    /// Its current version; none for a folder.
    #[diesel(select_expression = versions::id.nullable(), select_expression_type = Nullable<versions::id>)]
    pub current_version_id: Option<VersionId>,
    /// The number of that version among the file's.
    #[diesel(column_name = current_version)]
    pub version_number: Option<i64>,
    /// Counts the changes of the record itself.
    pub meta_revision: i64,
    /// Whether it is in the trash.
    pub state: FileState,
    /// The number of its last change among those of the workspace.
    pub change_sequence: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its record or content last changed.
    pub updated_at: Timestamp,
}

shared_model::text_enum! {
    /// What a file is.
    pub enum FileType {
        /// Holds other files.
        Folder = "folder",
        /// A native document.
        Document = "document",
        /// A native spreadsheet.
        Spreadsheet = "spreadsheet",
        /// A native presentation.
        Presentation = "presentation",
        /// A native note.
        Note = "note",
        /// A native publication.
        Publication = "publication",
        /// An uploaded PDF.
        Pdf = "pdf",
        /// Any other upload.
        UploadedFile = "uploaded_file",
    }
}

impl FileType {
    /// The collection of native files of this type, as paths name it.
    pub const fn collection(self) -> Option<&'static str> {
        match self {
            Self::Document => Some("documents"),
            Self::Spreadsheet => Some("spreadsheets"),
            Self::Presentation => Some("presentations"),
            Self::Note => Some("notes"),
            Self::Publication => Some("publications"),
            Self::Folder | Self::Pdf | Self::UploadedFile => None,
        }
    }
}

shared_model::text_enum! {
    /// Whether a file is in the trash.
    pub enum FileState {
        /// It is not.
        Active = "active",
        /// It is, and can still be read.
        Trashed = "trashed",
    }
}

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

/// The name of the shape of a file record.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub enum FileSchema {
    /// The first.
    #[serde(rename = "service/file/v1")]
    V1,
}

/// An answer with one file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FileAnswer {
    /// The file's record.
    pub file: FileRecord,
}

/// Makes the records of files.
#[derive(Clone, Debug)]
pub struct FileRecords {
    etag_key: Secret,
    comment_key: Secret,
    base_url: String,
    https_base: String,
}

impl FileRecords {
    /// The records of the service on this context.
    pub fn of(context: &Context) -> Self {
        Self {
            etag_key: context.secret.derive("file-etag"),
            comment_key: context.secret.derive("comment-etag"),
            base_url: context.base_url().to_owned(),
            https_base: context.https_base_url(),
        }
    }

    /// The tag of this state of a file: a new version, a rename, move, trash or restore makes another one, and an undo to the
    /// same content does not bring an old one back.
    pub fn etag(&self, file: &File) -> Etag {
        self.etag_of(file.id, file.current_version_id, file.meta_revision)
    }

    /// The tag that the file had at this version and revision.
    pub fn etag_of(&self, id: FileId, version: Option<VersionId>, meta_revision: i64) -> Etag {
        let version = version.map_or(0, VersionId::number);
        Etag::from_bytes(self.etag_key.tag(&[
            &id.number().to_be_bytes(),
            &version.to_be_bytes(),
            &meta_revision.to_be_bytes(),
        ]))
    }

    /// The tag of this state of a comment.
    pub fn comment_etag(&self, id: CommentId, revision: i64) -> Etag {
        Etag::from_bytes(self.comment_key.tag(&[&id.number().to_be_bytes(), &revision.to_be_bytes()]))
    }

    /// Where the record of a file is read.
    pub fn href(&self, id: FileId) -> String {
        format!("{}/v1/files/{id}", self.base_url)
    }

    /// The URL of this path (with its leading slash).
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }

    /// Where a file is read, with its content if it has any that can be read.
    pub fn content_href(&self, id: FileId, kind: FileType) -> String {
        match kind.collection() {
            Some(collection) => format!("{}/v1/{collection}/{id}", self.base_url),
            None => self.href(id),
        }
    }

    /// A refusal because of the state of the file, which is to be read again.
    pub fn refresh(&self, code: &'static Code, file: &File) -> Refusal {
        let etag = Some(self.etag(file).to_string());
        code.refusal().next(NextAction::Refresh { href: self.href(file.id), etag })
    }

    /// 200 with the record.
    pub fn answer(&self, file: File) -> Result<Answer<FileAnswer>, Failure> {
        let file = self.record(file);
        let etag = file.etag;
        Ok(Answer::ok(&FileAnswer { file })?.etag(etag))
    }

    /// The record of `file`.
    pub fn record(&self, file: File) -> FileRecord {
        FileRecord {
            schema: FileSchema::V1,
            etag: self.etag(&file),
            human_url: format!("{}/f/{}", self.https_base, file.id),
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
        let records = |key: u8| FileRecords {
            etag_key: Secret::from_bytes([key; 32]),
            comment_key: Secret::from_bytes([key; 32]),
            base_url: String::new(),
            https_base: String::new(),
        };
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
        let tag = records(7).etag(&file);
        let other = |change: fn(&mut File)| {
            let mut other = file.clone();
            change(&mut other);
            records(7).etag(&other)
        };
        assert_ne!(tag, other(|file| file.id = FileId::from_number(2)));
        assert_ne!(tag, other(|file| file.current_version_id = Some(VersionId::from_number(2))));
        assert_ne!(tag, other(|file| file.meta_revision = 2));
        assert_eq!(tag, other(|file| file.updated_at = Timestamp::from_seconds(9)));
        assert_ne!(tag, records(8).etag(&file));
    }
}
