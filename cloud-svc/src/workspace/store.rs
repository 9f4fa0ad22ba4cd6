//! The rows of workspaces.

use diesel::{IntoSql as _, prelude::*, sql_types::BigInt};
use serde::Serialize;
use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{Conn, Identity, on_each, state::db::prepared};
use utoipa::ToSchema;

use super::agents;
use crate::base::{author::Author, codes, ids::WorkspaceId, limits, tables::workspaces};

/// A workspace, as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema, Queryable, Selectable)]
pub struct Workspace {
    pub id: WorkspaceId,
    #[schema(example = "Workspace 42")]
    pub name: String,
    /// `active`.
    #[schema(example = "active")]
    pub state: String,
    /// Limit of `storage_used_bytes` and `storage_reserved_bytes` together.
    #[schema(minimum = 0)]
    pub storage_quota_bytes: i64,
    /// Bytes of all versions, drafts, plans and comments.
    #[schema(minimum = 0)]
    pub storage_used_bytes: i64,
    /// Bytes reserved by uploads that are not complete.
    #[schema(minimum = 0)]
    pub storage_reserved_bytes: i64,
    /// The number of the last change.
    #[schema(minimum = 0)]
    pub change_sequence: i64,
    /// Who approves the edits of agents.
    pub agent_writes: AgentWrites,
    /// Whether agents may approve plans of others.
    pub agents_may_review: bool,
    /// Whether agents may only read.
    pub agents_read_only: bool,
    /// When the service first saw a grant for this workspace.
    pub created_at: Timestamp,
}

shared_model::text_enum! {
    /// Who approves the edits of agents.
    pub enum AgentWrites {
        /// Agents apply their own edits.
        Direct = "direct",
        /// A person agrees to each edit of an agent that has a warning of high severity.
        ReviewRisky = "review_risky",
        /// A person approves each edit of an agent.
        Review = "review",
    }
}

// Runs in the transaction that records the grant, so that each known grant has a workspace.
pub fn record(conn: &mut Conn, identity: &Identity, at: Timestamp) -> Result<(), Failure> {
    create(conn, WorkspaceId::from_identity(identity)?, at)?;
    agents::record(conn, identity, at)
}

/// Inserts a workspace unless the row exists.
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
    // Another process may record a grant for the same workspace at the same time.
    on_each!(conn, |c| diesel::insert_into(workspaces::table).values(row).on_conflict_do_nothing().execute(c))?;
    Ok(())
}

pub fn find(conn: &mut Conn, id: WorkspaceId) -> Result<Option<Workspace>, Failure> {
    Ok(workspaces::table.find(id).select(Workspace::as_select()).first(conn).optional()?)
}

/// Takes the next change number and `bytes` of storage; 413 if they do not fit. Negative `bytes` give storage back.
pub fn next_change(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<i64, Error> {
    take_with(conn, id, bytes, 1)
}

/// Takes this many change numbers and `bytes` of storage at once; the first number.
pub fn next_changes(conn: &mut Conn, id: WorkspaceId, bytes: i64, changes: usize) -> Result<i64, Error> {
    let changes = i64::try_from(changes).map_err(|_| Failure::fault("more changes than numbers"))?;
    Ok(take_with(conn, id, bytes, changes)? - changes + 1)
}

/// Takes `bytes` of storage without a change number. 413 if they do not fit, 403 if they are too many for an agent
/// today. Negative `bytes` give storage back.
pub fn take(conn: &mut Conn, author: &Author, bytes: i64, at: Timestamp) -> Result<(), Error> {
    take_with(conn, author.workspace, bytes, 0)?;
    agents::count_bytes(conn, author, bytes.max(0), at)
}

// One UPDATE checks the quota and takes both: a change never gets a number without its storage.
fn take_with(conn: &mut Conn, id: WorkspaceId, bytes: i64, changes: i64) -> Result<i64, Error> {
    let taken = workspaces::storage_used_bytes + workspaces::storage_reserved_bytes;
    // A lowered quota must not stop a change that needs no storage, such as a purge.
    let fits = (taken + bytes).le(workspaces::storage_quota_bytes).or(bytes.into_sql::<BigInt>().le(0));
    let change = diesel::update(workspaces::table.filter(workspaces::id.eq(id)).filter(fits))
        .set((
            workspaces::storage_used_bytes.eq(workspaces::storage_used_bytes + bytes),
            workspaces::change_sequence.eq(workspaces::change_sequence + changes),
        ))
        .returning(workspaces::change_sequence);
    match on_each!(conn, |c| prepared(change).get_result(c).optional()).map_err(Failure::from)? {
        Some(sequence) => Ok(sequence),
        None => Err(quota_exceeded(find(conn, id)?, bytes)),
    }
}

// Only for changes made by the service itself: without bytes there is no refusal, so a refusal here is a fault.
pub fn take_number(conn: &mut Conn, id: WorkspaceId) -> Result<i64, Failure> {
    match next_change(conn, id, 0) {
        Ok(sequence) => Ok(sequence),
        Err(Error::Failed(failure)) => Err(failure),
        Err(Error::Refused(refusal)) => Err(Failure::fault(refusal.message.into_owned())),
    }
}

fn quota_exceeded(workspace: Option<Workspace>, bytes: i64) -> Error {
    let Some(workspace) = workspace else {
        return Failure::fault("the workspace of a transaction has no row").into();
    };
    let message = format!(
        "The workspace's storage quota is {} bytes, {} of them are used and {} reserved, and this needs {bytes} more. \
         Purge files in the trash to free storage.",
        workspace.storage_quota_bytes, workspace.storage_used_bytes, workspace.storage_reserved_bytes
    );
    codes::QUOTA_EXCEEDED.because(message).into()
}

/// Gives back storage without a change number.
pub fn give_back(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<(), Failure> {
    let less = diesel::update(workspaces::table.find(id))
        .set(workspaces::storage_used_bytes.eq(workspaces::storage_used_bytes - bytes));
    prepared(less).execute(conn)?;
    Ok(())
}

/// Keeps `bytes` of the quota for an upload; 413 if they do not fit.
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

pub fn unreserve(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<(), Failure> {
    let less = workspaces::storage_reserved_bytes.eq(workspaces::storage_reserved_bytes - bytes);
    prepared(diesel::update(workspaces::table.find(id)).set(less)).execute(conn)?;
    Ok(())
}

pub fn agent_writes(conn: &mut Conn, id: WorkspaceId) -> Result<Option<AgentWrites>, Failure> {
    Ok(workspaces::table.find(id).select(workspaces::agent_writes).first(conn).optional()?)
}

pub fn agents_may_review(conn: &mut Conn, id: WorkspaceId) -> Result<bool, Failure> {
    let found = workspaces::table.find(id).select(workspaces::agents_may_review).first(conn).optional()?;
    Ok(found.unwrap_or_default())
}

/// Up to `rows` workspaces in the order of their numbers, starting after `after`.
pub fn list(conn: &mut Conn, after: WorkspaceId, rows: i64) -> Result<Vec<Workspace>, Failure> {
    let following = workspaces::table.filter(workspaces::id.gt(after)).order(workspaces::id).limit(rows);
    Ok(following.select(Workspace::as_select()).load(conn)?)
}

/// `None` if there is no such workspace.
pub fn set_quota(conn: &mut Conn, id: WorkspaceId, bytes: i64) -> Result<Option<Workspace>, Failure> {
    diesel::update(workspaces::table.find(id)).set(workspaces::storage_quota_bytes.eq(bytes)).execute(conn)?;
    find(conn, id)
}

/// What agents may do in a workspace. `None` leaves a policy as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsChangeset)]
#[diesel(table_name = workspaces)]
pub struct Policies {
    pub agent_writes: Option<AgentWrites>,
    pub agents_may_review: Option<bool>,
    pub agents_read_only: Option<bool>,
}

/// `None` if there is no such workspace. At least one policy must be set.
pub fn set_policies(conn: &mut Conn, id: WorkspaceId, policies: Policies) -> Result<Option<Workspace>, Failure> {
    diesel::update(workspaces::table.find(id)).set(policies).execute(conn)?;
    find(conn, id)
}
