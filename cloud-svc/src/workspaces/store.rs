//! The store of workspaces. One statement takes storage and the next change number, so that neither is ever lost.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, Identity, on_each, state::db::prepared};
use utoipa::ToSchema;

use crate::{ids::WorkspaceId, limits, schema::workspaces};

/// A workspace, as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema, Queryable, Selectable)]
pub struct Workspace {
    /// Its id.
    pub id: WorkspaceId,
    /// Its name.
    #[schema(example = "Workspace 42")]
    pub name: String,
    /// `active`.
    #[schema(example = "active")]
    pub state: String,
    /// Bytes of all versions at most.
    #[schema(minimum = 0)]
    pub storage_quota_bytes: i64,
    /// Bytes of all versions now.
    #[schema(minimum = 0)]
    pub storage_used_bytes: i64,
    /// When a grant that selects it was first seen.
    pub created_at: Timestamp,
}

/// Records the workspace that a grant selects, unless it is known already, in the transaction that records the grant.
pub fn record(conn: &mut Conn, identity: &Identity, at: Timestamp) -> Result<(), Failure> {
    let id = WorkspaceId::of(identity)?;
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

/// The workspace with this id.
pub fn find(conn: &mut Conn, id: WorkspaceId) -> Result<Option<Workspace>, Failure> {
    Ok(workspaces::table.find(id).select(Workspace::as_select()).first(conn).optional()?)
}

/// Takes `bytes` of a workspace's storage for a change: the number of the change; `None` if they do not fit.
pub fn reserve(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<Option<i64>, Failure> {
    let fits = (workspaces::storage_used_bytes + bytes).le(workspaces::storage_quota_bytes);
    let change = diesel::update(workspaces::table.filter(workspaces::id.eq(id)).filter(fits))
        .set((
            workspaces::storage_used_bytes.eq(workspaces::storage_used_bytes + bytes),
            workspaces::change_sequence.eq(workspaces::change_sequence + 1),
        ))
        .returning(workspaces::change_sequence);
    Ok(prepared(change).get_result(conn).optional()?)
}
