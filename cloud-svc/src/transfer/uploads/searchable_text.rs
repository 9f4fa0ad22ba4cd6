//! The text of an upload, for the search by content.

use std::io::{self, Write as _};

use flate2::{Compression, write::DeflateEncoder};
use futures_util::TryStreamExt as _;
use shared_model::{Error, Failure, Timestamp};
use shared_runtime::Context;
use tokio::task::spawn_blocking;

use super::store;
use crate::{
    base::{author::Author, ids::UploadId, limits::UPLOAD_CHUNK_BYTES},
    files::chunk_lists::{self, chunk_list::UNKNOWN, upload_state::UploadState},
};

/// The deflated text of a received upload: UTF-8 without NUL of at most one chunk, which is a mebibyte. `None` for all others.
// Before the transaction that completes the upload, which must not wait for the blob store.
pub async fn of_upload(
    context: &Context,
    author: &Author,
    id: UploadId,
    now: Timestamp,
) -> Result<Option<Vec<u8>>, Error> {
    let author = author.clone();
    let object = context.read(move |conn| {
        let Some(upload) = store::find(conn, &author, id, now)? else { return Ok(None) };
        let Some(manifest) = chunk_lists::store::find(conn, id)? else { return Ok(None) };
        let may_be_text = manifest.media_type == UNKNOWN || manifest.media_type.starts_with("text/");
        let is_one_chunk = upload.is_whole() && upload.size <= UPLOAD_CHUNK_BYTES;
        if upload.state_at(now) != UploadState::Pending || !may_be_text || !is_one_chunk {
            return Ok(None);
        }
        let keys = chunk_lists::store::keys(conn, id)?;
        Ok(keys.into_iter().next().map(|key| (key, upload.size.unsigned_abs())))
    });
    let Some((key, bytes)) = object.await? else { return Ok(None) };
    let Some(stream) = context.blobs.read(&key, 0..bytes).await? else {
        return Err(Failure::fault("the object of a counted chunk does not exist").into());
    };
    let read = stream.try_fold(Vec::new(), async |mut all, piece| {
        all.extend_from_slice(&piece);
        Ok(all)
    });
    let bytes = read.await?;
    let deflated = spawn_blocking(move || deflated(&bytes)).await.map_err(|error| Failure::fault(error.to_string()))?;
    deflated.map_err(|error| Failure::fault(error.to_string()).into())
}

fn deflated(bytes: &[u8]) -> io::Result<Option<Vec<u8>>> {
    if std::str::from_utf8(bytes).is_err() || bytes.contains(&0) {
        return Ok(None);
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish().map(Some)
}
