//! The store of proposals.

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool},
};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, http::list::Position, on_each, state::db::prepared};

use super::proposal::{Proposal, ProposalState};
use crate::{
    base::{
        ids::{ProposalId, WorkspaceId},
        owner::Owner,
        tables::proposals,
    },
    workspace::limits,
};

pub fn insert(conn: &mut Conn, proposal: &Proposal) -> Result<(), Failure> {
    let insert = diesel::insert_into(proposals::table).values(proposal.clone());
    on_each!(conn, |c| insert.execute(c))?;
    Ok(())
}

pub fn find(conn: &mut Conn, owner: WorkspaceId, id: ProposalId) -> Result<Option<Proposal>, Failure> {
    let found = proposals::table
        .filter(proposals::id.eq(id).and(proposals::workspace_id.eq(owner)))
        .select(Proposal::as_select())
        .first(conn)
        .optional()?;
    Ok(found)
}

/// Proposals of the workspace, newest first.
pub fn list(
    conn: &mut Conn,
    owner: Owner,
    state: Option<ProposalState>,
    Position { at, id }: Position<ProposalId>,
    rows: i64,
) -> Result<Vec<Proposal>, Failure> {
    let mut query = proposals::table
        .filter(proposals::workspace_id.eq(owner.workspace()))
        .select(Proposal::as_select())
        .order((proposals::created_at.desc(), proposals::id.desc()))
        .limit(rows)
        .into_boxed();
    if let (true, Some(number)) = (limits::of(conn, owner)?.is_narrow(), owner.agent()) {
        // As `members::find`: only those whose files are all within the limits.
        let all = "NOT EXISTS (
            SELECT 1 FROM edit_plans JOIN files ON files.id = edit_plans.file_id
            WHERE edit_plans.proposal_id = proposals.id AND NOT (";
        query =
            query.filter(sql::<Bool>(all).sql(limits::BEFORE).bind::<BigInt, _>(number).sql(limits::AFTER).sql("))"));
    }
    if let Some(state) = state {
        query = query.filter(proposals::state.eq(state));
    }
    if let Some(id) = id {
        // Two conditions, because the first is a range of the index.
        query = query.filter(proposals::created_at.le(at));
        query = query.filter(proposals::created_at.lt(at).or(proposals::id.lt(id)));
    }
    Ok(prepared(query).load(conn)?)
}

/// Stores what can change: the state, the hash of the plans, and the end.
pub fn update(conn: &mut Conn, proposal: Proposal) -> Result<Proposal, Failure> {
    // The title and the reason are what a reviewer has read. They never change.
    let Proposal { state, proposal_sha256, expires_at, .. } = &proposal;
    let values = (
        proposals::state.eq(state),
        proposals::proposal_sha256.eq(proposal_sha256),
        proposals::expires_at.eq(expires_at),
    );
    prepared(diesel::update(proposals::table.find(proposal.id)).set(values)).execute(conn)?;
    Ok(proposal)
}

/// Deletes some that ended before this time, and returns their number.
pub fn delete_old(conn: &mut Conn, end: Timestamp, limit: i64) -> Result<usize, Failure> {
    let old: Vec<ProposalId> =
        proposals::table.filter(proposals::expires_at.le(end)).select(proposals::id).limit(limit).load(conn)?;
    Ok(on_each!(conn, |c| diesel::delete(proposals::table.filter(proposals::id.eq_any(old))).execute(c))?)
}
