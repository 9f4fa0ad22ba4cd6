//! Where workspaces rest. One statement takes storage and the next change number, so that neither is ever lost.

use diesel::prelude::*;
use shared_model::{Error, Failure, NextAction, Timestamp};
use shared_runtime::{Conn, on_each, state::db::prepared};

use super::Workspace;
use crate::{codes, ids::WorkspaceId, limits, schema::workspaces};

/// Records a workspace unless it is known already.
pub fn record(conn: &mut Conn, id: WorkspaceId, at: Timestamp) -> QueryResult<()> {
    let row = (
        workspaces::id.eq(id),
        workspaces::name.eq(format!("Workspace {}", id.number())),
        workspaces::state.eq("active"),
        workspaces::storage_quota_bytes.eq(limits::STORAGE_QUOTA_BYTES),
        workspaces::storage_used_bytes.eq(0),
        workspaces::change_sequence.eq(0),
        workspaces::created_at.eq(at),
    );
    on_each!(conn, |c| diesel::insert_into(workspaces::table).values(row).on_conflict_do_nothing().execute(c))?;
    Ok(())
}

/// The workspace of a grant.
pub fn of_grant(conn: &mut Conn, id: WorkspaceId) -> QueryResult<Option<Workspace>> {
    workspaces::table
        .find(id)
        .select((
            workspaces::id,
            workspaces::name,
            workspaces::state,
            workspaces::storage_quota_bytes,
            workspaces::storage_used_bytes,
            workspaces::created_at,
        ))
        .first(conn)
        .optional()
}

/// Notes a change that stores `bytes` more: the number of the change, or 413 `quota_exceeded`.
pub fn change(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<i64, Error> {
    let fits = (workspaces::storage_used_bytes + bytes).le(workspaces::storage_quota_bytes);
    let change = diesel::update(workspaces::table.filter(workspaces::id.eq(id)).filter(fits))
        .set((
            workspaces::storage_used_bytes.eq(workspaces::storage_used_bytes + bytes),
            workspaces::change_sequence.eq(workspaces::change_sequence + 1),
        ))
        .returning(workspaces::change_sequence);
    let sequence = prepared(change).get_result(conn).optional()?;
    match sequence {
        Some(sequence) => Ok(sequence),
        None => Err(why_not(conn, id, bytes)),
    }
}

fn why_not(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Error {
    match of_grant(conn, id) {
        Ok(Some(Workspace { storage_quota_bytes, storage_used_bytes, .. })) => codes::QUOTA_EXCEEDED
            .because(format!(
                "The workspace's storage quota is {storage_quota_bytes} bytes, {storage_used_bytes} of them are used, and this needs {bytes} more."
            ))
            .next(NextAction::ContactSupport)
            .into(),
        Ok(None) => Failure::fault("a transaction names a workspace that was never recorded").into(),
        Err(error) => error.into(),
    }
}
