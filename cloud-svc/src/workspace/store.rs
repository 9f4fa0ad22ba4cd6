//! The store of workspaces. One statement takes storage and the next change number, so that neither is ever lost.

use diesel::{IntoSql as _, prelude::*, sql_types::BigInt};
use serde::Serialize;
use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{Conn, Identity, on_each, state::db::prepared};
use utoipa::ToSchema;

use crate::base::{codes, ids::WorkspaceId, limits, tables::workspaces};

/// A workspace, as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema, Queryable, Selectable)]
pub struct Workspace {
    pub id: WorkspaceId,
    #[schema(example = "Workspace 42")]
    pub name: String,
    /// `active`.
    #[schema(example = "active")]
    pub state: String,
    /// Bytes of all versions at most.
    #[schema(minimum = 0)]
    pub storage_quota_bytes: i64,
    /// Bytes of all versions and drafts now.
    #[schema(minimum = 0)]
    pub storage_used_bytes: i64,
    /// Bytes that pending uploads hold.
    #[schema(minimum = 0)]
    pub storage_reserved_bytes: i64,
    /// The number of its last change.
    #[schema(minimum = 0)]
    pub change_sequence: i64,
    /// Whether what an agent proposes needs the approval of somebody else before it is applied.
    pub agent_writes: AgentWrites,
    /// When a grant that selects it was first seen.
    pub created_at: Timestamp,
}

shared_model::text_enum! {
    /// How the edits of agents are applied.
    pub enum AgentWrites {
        /// By the agent itself.
        Direct = "direct",
        /// After the approval of somebody else.
        Review = "review",
    }
}

/// Records the workspace that a grant selects, unless it is known already, in the transaction that records the grant.
pub fn record(conn: &mut Conn, identity: &Identity, at: Timestamp) -> Result<(), Failure> {
    create(conn, WorkspaceId::from_identity(identity)?, at)
}

/// Records a workspace, unless it is known already.
pub fn create(conn: &mut Conn, id: WorkspaceId, at: Timestamp) -> Result<(), Failure> {
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

/// Takes the next number for a change that needs `bytes` more storage (or gives back so many, where they are negative): 413 when
/// they do not fit.
pub fn next_change(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<i64, Error> {
    take_with(conn, id, bytes, 1)
}

/// Takes `bytes` more storage (or gives back so many, where they are negative) without a change: 413 when they do not fit.
pub fn take(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<(), Error> {
    take_with(conn, id, bytes, 0).map(|_| ())
}

/// Takes storage and so many numbers of changes, the last of which it returns.
fn take_with(conn: &mut Conn, id: WorkspaceId, bytes: i64, changes: i64) -> Result<i64, Error> {
    let taken = workspaces::storage_used_bytes + workspaces::storage_reserved_bytes;
    // What takes nothing is possible even when the quota has been lowered.
    let fits = (taken + bytes).le(workspaces::storage_quota_bytes).or(bytes.into_sql::<BigInt>().le(0));
    let change = diesel::update(workspaces::table.filter(workspaces::id.eq(id)).filter(fits))
        .set((
            workspaces::storage_used_bytes.eq(workspaces::storage_used_bytes + bytes),
            workspaces::change_sequence.eq(workspaces::change_sequence + changes),
        ))
        .returning(workspaces::change_sequence);
    match prepared(change).get_result(conn).optional().map_err(Failure::from)? {
        Some(sequence) => Ok(sequence),
        None => Err(quota_exceeded(find(conn, id)?, bytes)),
    }
}

/// Takes the next number for a change that needs no storage and that nobody asked for.
pub fn take_number(conn: &mut Conn, id: WorkspaceId) -> Result<i64, Failure> {
    match next_change(conn, id, 0) {
        Ok(sequence) => Ok(sequence),
        Err(Error::Failed(failure)) => Err(failure),
        Err(Error::Refused(refusal)) => Err(Failure::fault(refusal.message.into_owned())),
    }
}

/// 413: so many bytes do not fit.
fn quota_exceeded(workspace: Option<Workspace>, bytes: i64) -> Error {
    let Some(workspace) = workspace else {
        return Failure::fault("a transaction names a workspace that was never recorded").into();
    };
    let message = format!(
        "The workspace's storage quota is {} bytes, {} of them are used and {} reserved, and this needs {bytes} more.",
        workspace.storage_quota_bytes, workspace.storage_used_bytes, workspace.storage_reserved_bytes
    );
    codes::QUOTA_EXCEEDED.because(message).into()
}

/// Gives back storage without a change of its own.
pub fn give_back(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<(), Failure> {
    let less = diesel::update(workspaces::table.find(id))
        .set(workspaces::storage_used_bytes.eq(workspaces::storage_used_bytes - bytes));
    prepared(less).execute(conn)?;
    Ok(())
}

/// Keeps `bytes` of the quota for an upload: 413 when they do not fit beside what is used and what others have reserved.
pub fn reserve(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<(), Error> {
    let taken = workspaces::storage_used_bytes + workspaces::storage_reserved_bytes;
    let fits = (taken + bytes).le(workspaces::storage_quota_bytes).or(bytes.into_sql::<BigInt>().le(0));
    let more = workspaces::storage_reserved_bytes.eq(workspaces::storage_reserved_bytes + bytes);
    let reserve = diesel::update(workspaces::table.filter(workspaces::id.eq(id)).filter(fits)).set(more);
    match prepared(reserve).execute(conn).map_err(Failure::from)? {
        0 => Err(quota_exceeded(find(conn, id)?, bytes)),
        _ => Ok(()),
    }
}

/// Gives back what an upload has reserved.
pub fn unreserve(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<(), Failure> {
    let less = workspaces::storage_reserved_bytes.eq(workspaces::storage_reserved_bytes - bytes);
    prepared(diesel::update(workspaces::table.find(id)).set(less)).execute(conn)?;
    Ok(())
}

/// How the edits of agents are applied in the workspace.
pub fn agent_writes(conn: &mut Conn, id: WorkspaceId) -> Result<Option<AgentWrites>, Failure> {
    Ok(workspaces::table.find(id).select(workspaces::agent_writes).first(conn).optional()?)
}

/// Workspaces by their numbers, from the one after `after` on.
pub fn list(conn: &mut Conn, after: WorkspaceId, rows: i64) -> Result<Vec<Workspace>, Failure> {
    let following = workspaces::table.filter(workspaces::id.gt(after)).order(workspaces::id).limit(rows);
    Ok(following.select(Workspace::as_select()).load(conn)?)
}

/// Sets how many bytes the workspace may store; `None` if there is no such workspace.
pub fn set_quota(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<Option<Workspace>, Failure> {
    diesel::update(workspaces::table.find(id)).set(workspaces::storage_quota_bytes.eq(bytes)).execute(conn)?;
    find(conn, id)
}

/// Sets how the edits of agents are applied; `None` if there is no such workspace.
pub fn set_agent_writes(conn: &mut Conn, id: WorkspaceId, policy: AgentWrites) -> Result<Option<Workspace>, Failure> {
    diesel::update(workspaces::table.find(id)).set(workspaces::agent_writes.eq(policy)).execute(conn)?;
    find(conn, id)
}
