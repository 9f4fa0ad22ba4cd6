//! A file: its record, its types and states, and the tag that names what a reader has seen of it.

mod name_key;
pub mod store;
pub mod view;

use shared_model::{Etag, Secret, Timestamp};

use crate::ids::{FileId, VersionId, WorkspaceId};

pub use name_key::name_key;
pub use view::{FileAnswer, FileRecord};

/// A file of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, diesel::Queryable)]
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
    pub current_version_id: Option<VersionId>,
    /// Counts what happened to the record itself.
    pub meta_revision: i64,
    /// Whether it is in the trash.
    pub state: FileState,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its record or content last changed.
    pub updated_at: Timestamp,
}

impl File {
    /// The tag of this very state of the file: a new version, a rename, move, trash or restore makes another one, and
    /// an undo to the same content does not bring an old one back.
    pub fn etag(&self, key: &Secret) -> Etag {
        let version = self.current_version_id.map_or(0, VersionId::number);
        Etag::from_bytes(key.tag(&[
            &self.id.number().to_be_bytes(),
            &version.to_be_bytes(),
            &self.meta_revision.to_be_bytes(),
        ]))
    }
}

shared_model::text_enum! {
    /// What a file is (spec: file record).
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

shared_model::text_enum! {
    /// Whether a file is in the trash (spec: file record).
    pub enum FileState {
        /// It is not.
        Active = "active",
        /// It is, and can still be read.
        Trashed = "trashed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_etag_follows_version_and_record_and_nothing_else() {
        let key = Secret::from_bytes([7; 32]);
        let file = File {
            id: FileId::from_number(1),
            workspace_id: WorkspaceId::from_number(1),
            parent_id: None,
            name: "a".to_owned(),
            kind: FileType::Document,
            current_version_id: Some(VersionId::from_number(1)),
            meta_revision: 1,
            state: FileState::Active,
            created_at: Timestamp::from_seconds(0),
            updated_at: Timestamp::from_seconds(0),
        };
        let tag = file.etag(&key);
        let other = |change: fn(&mut File)| {
            let mut other = file.clone();
            change(&mut other);
            other.etag(&key)
        };
        assert_ne!(tag, other(|file| file.id = FileId::from_number(2)));
        assert_ne!(tag, other(|file| file.current_version_id = Some(VersionId::from_number(2))));
        assert_ne!(tag, other(|file| file.meta_revision = 2));
        assert_eq!(tag, other(|file| file.updated_at = Timestamp::from_seconds(9)));
        assert_ne!(tag, file.etag(&Secret::from_bytes([8; 32])));
    }
}
