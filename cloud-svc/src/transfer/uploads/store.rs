//! The rows of uploads, which a grant can read until seven days after their end.

use std::time::Duration;

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Nullable, Text},
};
use shared_model::{Failure, Timestamp};
use shared_runtime::{
    Conn, on_each,
    state::db::{columns, prepared},
};

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

/// The upload, if it is of the author's grant.
#[diesel::dsl::auto_type(no_type_alias)]
fn of_grant<'a>(author: &'a Author, id: UploadId) -> _ {
    let (workspace, grant): (WorkspaceId, &'a str) = (author.workspace, author.grant_id.as_str());
    uploads::id.eq(id).and(uploads::workspace_id.eq(workspace)).and(uploads::grant_id.eq(grant))
}

pub fn find(conn: &mut Conn, author: &Author, id: UploadId, now: Timestamp) -> Result<Option<Upload>, Failure> {
    // The age is checked here too, because the sweep may run late.
    let found = uploads::table.filter(of_grant(author, id)).filter(uploads::expires_at.gt(now.minus(RETENTION)));
    Ok(found.select(Upload::as_select()).first(conn).optional()?)
}

/// What is known of a chunk before its bytes arrive.
#[derive(Debug)]
pub struct Progress {
    pub upload: Upload,
    /// The hash state before the chunk.
    pub before: Option<String>,
    /// The hash state after the chunk, if it was counted already.
    pub after: Option<String>,
}

/// [`find`] with the hash states around a chunk.
// One statement: each chunk waits for it, and others may count the same chunk between two.
pub fn progress(
    conn: &mut Conn,
    author: &Author,
    id: UploadId,
    index: i64,
    now: Timestamp,
) -> Result<Option<Progress>, Failure> {
    let state_after = |index: i64| {
        sql::<Nullable<Text>>(
            "(SELECT hash_state FROM manifest_chunks WHERE manifest_chunks.manifest_id = uploads.id \
             AND manifest_chunks.number = ",
        )
        .bind::<BigInt, _>(index)
        .sql(")")
    };
    let found = uploads::table
        .filter(of_grant(author, id))
        .filter(uploads::expires_at.gt(now.minus(RETENTION)))
        .select((Upload::as_select(), state_after(index - 1), state_after(index)));
    let found: Option<(Upload, Option<String>, Option<String>)> = prepared(found).get_result(conn).optional()?;
    Ok(found.map(|(upload, before, after)| Progress { upload, before, after }))
}

/// Counts a chunk; `None` if another one is next, or the upload takes no chunk of this author anymore.
// The conditions are in the UPDATE, so that of two requests for one chunk only the first counts.
pub fn advance(
    conn: &mut Conn,
    author: &Author,
    id: UploadId,
    (index, bytes): (i64, i64),
    now: Timestamp,
) -> Result<Option<Upload>, Failure> {
    let is_next = uploads::next_chunk_index.eq(index).and(uploads::expires_at.gt(now));
    // Not `state = 'pending'`: while there are few uploads, PostgreSQL would plan to look at all that are pending.
    let is_pending = uploads::state.ne(UploadState::Completed).and(uploads::state.ne(UploadState::Cancelled));
    let counted = (
        uploads::next_chunk_index.eq(uploads::next_chunk_index + 1),
        uploads::received_bytes.eq(uploads::received_bytes + bytes),
    );
    let advanced = diesel::update(uploads::table.filter(of_grant(author, id)).filter(is_next.and(is_pending)))
        .set(counted)
        .returning(columns::<Upload>());
    Ok(on_each!(conn, |c| prepared(advanced).get_result(c).optional())?)
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
