//! Inserts the rows of a document with one statement per table.

use anyhow::Result;
use cloud_svc::{
    FileId, WorkspaceId,
    base::tables::{files, versions, workspaces},
    files::name_pieces,
};
use diesel::prelude::*;
use shared_runtime::{
    Conn,
    state::db::{prepared, tables::idempotency},
};

use super::values::{CREATED_BY, NAME, NAME_KEY, NOW, answer, sha256};

/// Workspace, file, version, idempotency record.
pub fn document(conn: &mut Conn, workspace: i64, content: &str, key: &[u8; 32]) -> Result<()> {
    let bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
    let change = diesel::update(workspaces::table.find(workspace))
        .set((
            workspaces::storage_used_bytes.eq(workspaces::storage_used_bytes + bytes),
            workspaces::change_sequence.eq(workspaces::change_sequence + 1),
        ))
        .returning(workspaces::change_sequence);
    let sequence: i64 = prepared(change).get_result(conn)?;
    let file: FileId = diesel::insert_into(files::table)
        .values((
            files::workspace_id.eq(workspace),
            files::name.eq(NAME),
            files::name_key.eq(NAME_KEY),
            files::kind.eq("document"),
            files::state.eq("active"),
            files::current_version.eq(1),
            files::meta_revision.eq(1),
            files::change_sequence.eq(sequence),
            files::first_change.eq(sequence),
            files::created_at.eq(NOW),
            files::updated_at.eq(NOW),
        ))
        .returning(files::id)
        .get_result(conn)?;
    name_pieces::index(conn, WorkspaceId::from_number(workspace), file, NAME_KEY)?;
    let _version: i64 = diesel::insert_into(versions::table)
        .values((
            versions::file_id.eq(file),
            versions::number.eq(1),
            versions::content_bytes.eq(bytes),
            versions::sha256.eq(sha256()),
            versions::created_by.eq(CREATED_BY),
            versions::created_at.eq(NOW),
            versions::content.eq(content),
        ))
        .returning(versions::id)
        .get_result(conn)?;
    diesel::insert_into(idempotency::table)
        .values((
            idempotency::scope.eq(key.as_slice()),
            idempotency::fingerprint.eq(key.as_slice()),
            idempotency::created_at.eq(NOW),
            idempotency::expires_at.eq(NOW + 1),
            idempotency::status.eq(200),
            idempotency::headers.eq("[]"),
            idempotency::payload.eq(answer()),
        ))
        .execute(conn)?;
    Ok(())
}
