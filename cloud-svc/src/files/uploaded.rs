//! The bytes of an uploaded file.

use futures_util::TryStreamExt as _;
use shared_model::{Error, Failure, Problem, Refusal, code};
use shared_runtime::{Conn, Context};

use super::{chunk_lists, file::File, store, version_store};
use crate::base::{ids::FileId, limits::RESPONSE_BYTES, owner::Owner};

/// The file and the bytes of its current version. `at` is the member of the request that names the file.
pub async fn uploaded(context: &Context, owner: Owner, id: FileId, at: &'static str) -> Result<(File, Vec<u8>), Error> {
    let find = move |conn: &mut Conn| {
        let file = store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        let stored = match file.current_version_id {
            Some(version) => version_store::find(conn, file.id, version)?,
            None => None,
        };
        let manifest = stored.and_then(|(_, stored)| stored.manifest_id);
        let manifest = manifest.ok_or_else(|| not_readable(at, "must be an uploaded file".to_owned()))?;
        let manifest = chunk_lists::store::find(conn, manifest)?;
        let manifest = manifest.ok_or_else(|| Failure::fault("the manifest of a version has no row"))?;
        Ok((file, manifest.bytes.unsigned_abs(), chunk_lists::store::pieces(conn, &manifest)?))
    };
    let (file, size, pieces) = context.read(find).await?;
    if size > RESPONSE_BYTES as u64 {
        return Err(not_readable(at, format!("must be at most {RESPONSE_BYTES} bytes, has {size}")).into());
    }
    let chunks = context.blobs.read_pieces(pieces, 0..size).await?;
    let mut chunks = chunks.ok_or_else(|| Failure::fault("a blob that a row names is not in the store"))?;
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.try_next().await? {
        bytes.extend_from_slice(&chunk);
    }
    Ok((file, bytes))
}

/// 422 for a file that is not of the kind that is wanted.
pub fn not_readable(at: &str, rule: String) -> Refusal {
    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: at.to_owned(), rule }])
}
