//! The rows of manifests and their chunks.

use std::time::Duration;

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{
    Conn, on_each,
    state::blobs::{Check, HashState, Piece},
};

use super::{
    chunk::Chunk,
    chunk_list::{ChunkList, chunk_bytes},
};
use crate::{
    base::{
        ids::UploadId,
        tables::{manifest_chunks, manifests, uploads, versions},
    },
    files::chunk_lists::upload_state::UploadState,
};

// Before its objects are removed, a manifest rests this long. A chunk that is being sent has arrived or failed by then,
// and a download has ended.
const GRACE_PERIOD: Duration = Duration::from_secs(3_600);

pub fn insert(conn: &mut Conn, manifest: &ChunkList) -> Result<(), Failure> {
    let ChunkList { id, bytes, sha256, media_type } = manifest;
    diesel::insert_into(manifests::table)
        .values((
            manifests::id.eq(id),
            manifests::bytes.eq(bytes),
            manifests::sha256.eq(sha256),
            manifests::media_type.eq(media_type),
        ))
        .execute(conn)?;
    Ok(())
}

pub fn find(conn: &mut Conn, id: UploadId) -> Result<Option<ChunkList>, Failure> {
    Ok(manifests::table.find(id).select(ChunkList::as_select()).first(conn).optional()?)
}

pub fn set_media_type(conn: &mut Conn, id: UploadId, media_type: &str) -> Result<(), Failure> {
    diesel::update(manifests::table.find(id)).set(manifests::media_type.eq(media_type)).execute(conn)?;
    Ok(())
}

/// Keeps the deflated text of a manifest for the search.
pub fn set_text(conn: &mut Conn, id: UploadId, text: &[u8]) -> Result<(), Failure> {
    diesel::update(manifests::table.find(id)).set(manifests::text.eq(Some(text))).execute(conn)?;
    Ok(())
}

pub fn insert_chunk(conn: &mut Conn, chunk: &Chunk) -> Result<(), Failure> {
    let Chunk { manifest_id, number, blob_key, hash_state } = chunk;
    diesel::insert_into(manifest_chunks::table)
        .values((
            manifest_chunks::manifest_id.eq(manifest_id),
            manifest_chunks::number.eq(number),
            manifest_chunks::blob_key.eq(blob_key),
            manifest_chunks::hash_state.eq(hash_state),
        ))
        .execute(conn)?;
    Ok(())
}

/// The hash state after this chunk, as text; `None` if the chunk does not exist, or no longer exists.
pub fn hash_state(conn: &mut Conn, id: UploadId, number: i64) -> Result<Option<String>, Failure> {
    let chunk = manifest_chunks::table.find((id, number)).select(manifest_chunks::hash_state);
    Ok(chunk.first(conn).optional()?)
}

/// The blob keys of a manifest in the order of its chunks.
pub fn keys(conn: &mut Conn, id: UploadId) -> Result<Vec<String>, Failure> {
    let chunks = manifest_chunks::table.filter(manifest_chunks::manifest_id.eq(id));
    Ok(chunks.order(manifest_chunks::number).select(manifest_chunks::blob_key).load(conn)?)
}

pub fn pieces(conn: &mut Conn, manifest: &ChunkList) -> Result<Vec<Piece>, Failure> {
    let chunks = manifest_chunks::table.filter(manifest_chunks::manifest_id.eq(manifest.id));
    let chunks = chunks.order(manifest_chunks::number).select((manifest_chunks::blob_key, manifest_chunks::hash_state));
    let chunks: Vec<(String, String)> = chunks.load(conn)?;
    let lengths = (0..).map(|number| chunk_bytes(manifest.bytes, number).unsigned_abs());
    let mut before = HashState::of_nothing();
    let piece = |((key, after), bytes): ((String, String), u64)| {
        let ended = HashState::stored(&after)?;
        let check = Check::States { before: std::mem::replace(&mut before, ended), after };
        Ok(Piece { key, bytes, check })
    };
    chunks.into_iter().zip(lengths).map(piece).collect()
}

// Call it when a manifest loses an owner, or will get no more chunks.
pub fn sweep_later(conn: &mut Conn, id: UploadId, now: Timestamp) -> Result<(), Failure> {
    let later = manifests::sweep_after.eq(Some(now.plus(GRACE_PERIOD)));
    diesel::update(manifests::table.find(id)).set(later).execute(conn)?;
    Ok(())
}

/// [`sweep_later`] for manifests of versions that are deleted.
pub fn release(conn: &mut Conn, ids: &[UploadId], now: Timestamp) -> Result<(), Failure> {
    // Most versions have no manifest.
    if ids.is_empty() {
        return Ok(());
    }
    let later = manifests::sweep_after.eq(Some(now.plus(GRACE_PERIOD)));
    on_each!(conn, |c| diesel::update(manifests::table.filter(manifests::id.eq_any(ids))).set(later).execute(c))?;
    Ok(())
}

/// A manifest that is due for a sweep.
#[derive(Clone, Copy, Debug)]
pub struct ToSweep {
    pub id: UploadId,
    pub since: Timestamp,
}

pub fn to_sweep(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<ToSweep>, Failure> {
    let due: Vec<(UploadId, Option<Timestamp>)> = manifests::table
        .filter(manifests::sweep_after.le(now))
        .order(manifests::sweep_after)
        .select((manifests::id, manifests::sweep_after))
        .limit(limit)
        .load(conn)?;
    Ok(due.into_iter().filter_map(|(id, since)| Some(ToSweep { id, since: since? })).collect())
}

/// Whether a version or a pending upload owns the manifest.
// Once false, it stays false: a version gets its manifest from an upload or from another version.
pub fn is_owned(conn: &mut Conn, id: UploadId) -> Result<bool, Failure> {
    let version = versions::table.filter(versions::manifest_id.eq(id));
    let pending = uploads::table.filter(uploads::id.eq(id).and(uploads::state.eq(UploadState::Pending)));
    let owned = diesel::select(diesel::dsl::exists(version)).get_result::<bool>(conn)?
        || diesel::select(diesel::dsl::exists(pending)).get_result::<bool>(conn)?;
    Ok(owned)
}

// Not if `sweep_after` has moved meanwhile: the manifest lost another owner, so it must be swept again.
pub fn set_swept(conn: &mut Conn, swept: ToSweep) -> Result<(), Failure> {
    let row = manifests::table.filter(manifests::id.eq(swept.id).and(manifests::sweep_after.eq(swept.since)));
    diesel::update(row).set(manifests::sweep_after.eq(None::<Timestamp>)).execute(conn)?;
    Ok(())
}

// The foreign key of `versions` makes this fail if a version still owns the manifest.
pub fn delete(conn: &mut Conn, id: UploadId) -> Result<(), Failure> {
    diesel::delete(manifest_chunks::table.filter(manifest_chunks::manifest_id.eq(id))).execute(conn)?;
    diesel::delete(manifests::table.find(id)).execute(conn)?;
    Ok(())
}
