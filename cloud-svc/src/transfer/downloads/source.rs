//! The content behind a download link.

use crate::files::version_store;
use sha2::{Digest as _, Sha256};
use shared_model::{Error, Failure};
use shared_runtime::{
    Blobs, Conn, Download,
    http::download::{RangeRequest, Representation},
    state::blobs::Piece,
};

use super::form::{Form, written};
use crate::{
    base::{heavy::heavy, ids::VersionId},
    files::{
        chunk_lists::{self, chunk_list::ChunkList},
        file::File,
        version_content::StoredContent,
    },
};

/// A stored version of a file.
pub enum Kept {
    Text(String),
    Blobs(ChunkList, Vec<Piece>),
}

pub struct Source {
    /// The headers of the answer.
    pub whole: Representation,
    bytes: Bytes,
}

enum Bytes {
    InMemory(Vec<u8>),
    InBlobs(Vec<Piece>),
}

pub fn kept(conn: &mut Conn, file: &File, version: VersionId) -> Result<Option<Kept>, Failure> {
    let Some((_, stored)) = version_store::find(conn, file.id, version)? else { return Ok(None) };
    let StoredContent { content, manifest_id, .. } = stored;
    let Some(id) = manifest_id else { return Ok(Some(Kept::Text(content))) };
    let manifest =
        chunk_lists::store::find(conn, id)?.ok_or_else(|| Failure::fault("the manifest of a version has no row"))?;
    let pieces = chunk_lists::store::pieces(conn, &manifest)?;
    Ok(Some(Kept::Blobs(manifest, pieces)))
}

/// The name with this suffix. `todo.md` has it already.
fn with_end(name: &str, end: &str) -> String {
    let stem = name.len().saturating_sub(end.len());
    let has_it = stem > 0 && name.get(stem..).is_some_and(|found| found.eq_ignore_ascii_case(end));
    if has_it { name.to_owned() } else { format!("{name}{end}") }
}

impl Source {
    /// `None` if the content does not have this form.
    pub async fn of(file: File, kept: Kept, form: Form) -> Result<Option<Self>, Failure> {
        // The other forms are copied or written in a few milliseconds.
        if form == Form::Xlsx {
            heavy(move || Self::made(&file, kept, form)).await?
        } else {
            Self::made(&file, kept, form)
        }
    }

    fn made(file: &File, kept: Kept, form: Form) -> Result<Option<Self>, Failure> {
        let (content_type, end) = form.written_as(file.kind);
        let file_name = with_end(&file.name, &end);
        match (kept, form) {
            (Kept::Blobs(manifest, pieces), Form::AsUploaded) => {
                let (bytes, sha256) = (manifest.bytes.unsigned_abs(), manifest.digest()?);
                let whole = Representation { bytes, sha256, content_type: manifest.media_type, file_name };
                Ok(Some(Self { whole, bytes: Bytes::InBlobs(pieces) }))
            }
            (Kept::Text(stored), form) => {
                let Some(made) = written(file.kind, stored, form)? else { return Ok(None) };
                let sha256 = Sha256::digest(&made).into();
                let (bytes, content_type) = (made.len() as u64, content_type.to_owned());
                let whole = Representation { bytes, sha256, content_type, file_name };
                Ok(Some(Self { whole, bytes: Bytes::InMemory(made) }))
            }
            (Kept::Blobs(..), _) => Ok(None),
        }
    }

    pub async fn download(self, blobs: &Blobs, wanted: &RangeRequest) -> Result<Download, Error> {
        match self.bytes {
            Bytes::InMemory(made) => Download::from_bytes(made.into(), &self.whole, wanted).await,
            Bytes::InBlobs(pieces) => Download::from_blobs(blobs, pieces, &self.whole, wanted).await,
        }
    }
}
