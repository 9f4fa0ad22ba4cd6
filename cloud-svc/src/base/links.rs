//! URLs and entity tags of files.
// They need no row of the database, so the lowest folders can make them.

use cloud_content::{file_type::FileType, kinds::native_kind};
use shared_model::{Etag, Secret};
use shared_runtime::Context;

use super::ids::{CommentId, FileId, VersionId};

#[derive(Clone, Debug)]
pub struct FileLinks {
    etag_key: Secret,
    comment_key: Secret,
    base_url: String,
}

impl FileLinks {
    pub fn new(context: &Context) -> Self {
        Self {
            etag_key: context.secret.derive("file-etag"),
            comment_key: context.secret.derive("comment-etag"),
            base_url: context.base_url().to_owned(),
        }
    }

    /// The entity tag of a file with this version and this revision of its metadata.
    pub fn etag_of(&self, id: FileId, version: Option<VersionId>, meta_revision: i64) -> Etag {
        // No version has the number 0, so a folder cannot share a tag with a file.
        let version = version.map_or(0, VersionId::number);
        Etag::from_bytes(self.etag_key.tag(&[
            &id.number().to_be_bytes(),
            &version.to_be_bytes(),
            &meta_revision.to_be_bytes(),
        ]))
    }

    pub fn comment_etag(&self, id: CommentId, revision: i64) -> Etag {
        Etag::from_bytes(self.comment_key.tag(&[&id.number().to_be_bytes(), &revision.to_be_bytes()]))
    }

    /// URL of the record of a file.
    pub fn href(&self, id: FileId) -> String {
        format!("{}/v1/files/{id}", self.base_url)
    }

    /// URL of a path, which begins with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }

    /// URL of the content of a file, or of its record if no operation reads its content.
    pub fn content_href(&self, id: FileId, kind: FileType) -> String {
        match native_kind(kind).map(|kind| kind.collection) {
            Some(collection) => format!("{}/v1/{collection}/{id}", self.base_url),
            None => self.href(id),
        }
    }

    #[cfg(test)]
    pub fn for_tests(key: u8) -> Self {
        let key = Secret::from_bytes([key; 32]);
        Self { etag_key: key.clone(), comment_key: key, base_url: String::new() }
    }
}
