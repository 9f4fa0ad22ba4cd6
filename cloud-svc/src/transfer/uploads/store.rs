//! The rows of uploads, which a grant can read until seven days after their end.

use std::time::Duration;

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, state::db::prepared};

use super::upload::Upload;
use crate::{
    base::{
        author::Author,
        ids::{FileId, UploadId, VersionId, WorkspaceId},
        limits::UPLOAD_KEPT_SECONDS,
        tables::uploads,
    },
    files::chunk_lists::{self, upload_state::UploadState},
    workspace,
};

/// How long an upload can be read after its end.
pub const RETENTION: Duration = Duration::from_secs(UPLOAD_KEPT_SECONDS);

pub fn insert(conn: &mut Conn, author: &Author, upload: &Upload, now: Timestamp) -> Result<(), Failure> {
    diesel::insert_into(uploads::table)
        .values((
            uploads::id.eq(upload.id),
            uploads::workspace_id.eq(author.workspace),
            uploads::grant_id.eq(author.grant_id.as_str()),
            uploads::name.eq(upload.name.as_str()),
            uploads::mime.eq(upload.mime.as_str()),
            uploads::size.eq(upload.size),
            uploads::sha256.eq(upload.sha256.as_str()),
            uploads::parent_id.eq(upload.parent_id),
            uploads::target_id.eq(upload.target.id),
            uploads::seen_version_id.eq(upload.target.version),
            uploads::seen_meta_revision.eq(upload.target.meta_revision),
            uploads::state.eq(upload.state),
            uploads::next_chunk_index.eq(upload.next_chunk_index),
            uploads::received_bytes.eq(upload.received_bytes),
            uploads::created_at.eq(now),
            uploads::expires_at.eq(upload.expires_at),
        ))
        .execute(conn)?;
    Ok(())
}

pub fn find(conn: &mut Conn, author: &Author, id: UploadId, now: Timestamp) -> Result<Option<Upload>, Failure> {
    let of_grant = uploads::workspace_id.eq(author.workspace).and(uploads::grant_id.eq(author.grant_id.as_str()));
    // The age is checked here too, because the sweep may run late.
    let found = uploads::table.find(id).filter(of_grant).filter(uploads::expires_at.gt(now.minus(RETENTION)));
    Ok(found.select(Upload::as_select()).first(conn).optional()?)
}

/// Counts a chunk; false if another one is next.
// The condition is in the UPDATE, so that of two requests for one chunk only the first counts.
pub fn advance(conn: &mut Conn, id: UploadId, index: i64, bytes: i64) -> Result<bool, Failure> {
    let is_next = uploads::next_chunk_index.eq(index).and(uploads::state.eq(UploadState::Pending));
    let counted = (
        uploads::next_chunk_index.eq(uploads::next_chunk_index + 1),
        uploads::received_bytes.eq(uploads::received_bytes + bytes),
    );
    let advanced = diesel::update(uploads::table.filter(uploads::id.eq(id).and(is_next))).set(counted);
    Ok(prepared(advanced).execute(conn)? == 1)
}

pub fn set_completed(conn: &mut Conn, upload: Upload, file: FileId, version: VersionId) -> Result<Upload, Failure> {
    let upload = Upload { state: UploadState::Completed, file_id: Some(file), version_id: Some(version), ..upload };
    let values = (
        uploads::state.eq(upload.state),
        uploads::file_id.eq(upload.file_id),
        uploads::version_id.eq(upload.version_id),
    );
    prepared(diesel::update(uploads::table.find(upload.id)).set(values)).execute(conn)?;
    Ok(upload)
}

/// Cancels a pending upload and gives back its reservation. The sweep removes its chunks later.
pub fn cancel(conn: &mut Conn, owner: WorkspaceId, upload: Upload, now: Timestamp) -> Result<Upload, Failure> {
    let upload = Upload { state: UploadState::Cancelled, ..upload };
    diesel::update(uploads::table.find(upload.id)).set(uploads::state.eq(upload.state)).execute(conn)?;
    workspace::store::unreserve(conn, owner, upload.size)?;
    chunk_lists::store::sweep_later(conn, upload.id, now)?;
    Ok(upload)
}

/// Cancels expired uploads, of one workspace or of all; returns their number.
pub fn expire(conn: &mut Conn, owner: Option<WorkspaceId>, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let mut late = uploads::table
        .filter(uploads::state.eq(UploadState::Pending).and(uploads::expires_at.le(now)))
        .select((uploads::workspace_id, Upload::as_select()))
        .limit(limit)
        .into_boxed();
    if let Some(owner) = owner {
        late = late.filter(uploads::workspace_id.eq(owner));
    }
    let late: Vec<(WorkspaceId, Upload)> = late.load(conn)?;
    let count = late.len();
    for (owner, upload) in late {
        cancel(conn, owner, upload, now)?;
    }
    Ok(count)
}
