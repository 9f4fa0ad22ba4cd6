//! The agents of a workspace: grants that were seen, what they may do, and what they have written today.

use std::collections::BTreeSet;

use diesel::prelude::*;
use shared_model::{Error, Failure, Timestamp, json_column::Json};
use shared_runtime::{
    Conn, Identity,
    identity::{Actor, ActorKind},
    on_each,
    state::db::prepared,
};

use crate::base::{
    author::{self, Author},
    codes,
    ids::{FileId, WorkspaceId},
    owner::agent_number,
    permissions,
    tables::{agent_folders, agent_types, agents, workspaces},
};
use cloud_content::file_type::FileType;

const DAY_SECONDS: i64 = 86_400;

shared_model::text_enum! {
    /// What an agent may do with what it sees.
    pub enum May {
        Read = "read",
        /// Also propose edits and comment.
        Propose = "propose",
        /// Whatever its scopes and the policy of the workspace allow.
        Apply = "apply",
    }
}

/// An agent and its limits.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = agents)]
pub struct Agent {
    pub number: i64,
    pub grant_id: String,
    pub actor: Json<Actor>,
    pub author_key: String,
    pub first_seen_at: Timestamp,
    pub last_command_at: Option<Timestamp>,
    pub may: May,
    pub is_in_folders: bool,
    pub is_of_types: bool,
    pub bytes_per_day: Option<i64>,
    pub bytes_day: i64,
    pub bytes_on_day: i64,
    pub limited_by: Option<Json<Actor>>,
    pub limited_at: Option<Timestamp>,
    pub revoked_by: Option<Json<Actor>>,
}

impl Agent {
    /// What it has written since midnight, UTC.
    pub fn bytes_today(&self, now: Timestamp) -> i64 {
        if self.bytes_day == day(now) { self.bytes_on_day } else { 0 }
    }
}

fn day(now: Timestamp) -> i64 {
    now.seconds().div_euclid(DAY_SECONDS)
}

// Runs in the transaction that records the grant.
pub fn record(conn: &mut Conn, identity: &Identity, at: Timestamp) -> Result<(), Failure> {
    let Some(actor) = identity.actor.as_ref().filter(|actor| actor.kind == ActorKind::Agent) else { return Ok(()) };
    insert(conn, WorkspaceId::from_identity(identity)?, &identity.grant_id, actor, at)
}

fn insert(
    conn: &mut Conn,
    workspace: WorkspaceId,
    grant_id: &str,
    actor: &Actor,
    at: Timestamp,
) -> Result<(), Failure> {
    let row = (
        agents::number.eq(agent_number(workspace, grant_id)),
        agents::workspace_id.eq(workspace),
        agents::grant_id.eq(grant_id),
        agents::actor.eq(serde_json::to_string(actor)?),
        agents::author_key.eq(author::key(actor)),
        agents::first_seen_at.eq(at),
        agents::may.eq(May::Apply),
        agents::is_in_folders.eq(false),
        agents::is_of_types.eq(false),
        agents::bytes_day.eq(0),
        agents::bytes_on_day.eq(0),
    );
    on_each!(conn, |c| diesel::insert_into(agents::table).values(row).on_conflict_do_nothing().execute(c))?;
    Ok(())
}

/// Those of these ids that agents of the workspace have.
pub fn known(conn: &mut Conn, workspace: WorkspaceId, ids: &BTreeSet<&str>) -> Result<Vec<String>, Failure> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<String> = ids.iter().map(|id| author::agent_key(id)).collect();
    let found: Vec<Json<Actor>> = on_each!(conn, |c| agents::table
        .filter(agents::workspace_id.eq(workspace).and(agents::author_key.eq_any(keys)))
        .select(agents::actor)
        .load(c))?;
    Ok(found.into_iter().map(|Json(actor)| actor.id).collect())
}

/// 403 unless this agent may run a command with this scope. The only such check: it runs before every command.
pub fn check_command(conn: &mut Conn, author: &Author, scope: &str, at: Timestamp) -> Result<(), Error> {
    if author.actor.kind != ActorKind::Agent {
        return Ok(());
    }
    if check_may(conn, author, scope)?.is_none() {
        // Its grant was first seen with another actor, or before there were limits.
        insert(conn, author.workspace, &author.grant_id, &author.actor, at)?;
    }
    let number = agent_number(author.workspace, &author.grant_id);
    let used = diesel::update(agents::table.find(number)).set(agents::last_command_at.eq(Some(at)));
    prepared(used).execute(conn).map_err(Failure::from)?;
    Ok(())
}

/// 403 unless this agent may write with this scope. Answers what it may do at most; `None` if it has no row yet.
pub fn check_may(conn: &mut Conn, author: &Author, scope: &str) -> Result<Option<May>, Error> {
    if author.actor.kind != ActorKind::Agent {
        return Ok(None);
    }
    // The switch of the workspace first: it holds whatever the limits are.
    let only_read = workspaces::table.find(author.workspace).select(workspaces::agents_read_only);
    if only_read.first::<bool>(conn).optional().map_err(Failure::from)?.unwrap_or_default() {
        return Err(codes::AGENT_LIMITED.because("The agents of this workspace may only read.").into());
    }
    let number = agent_number(author.workspace, &author.grant_id);
    let may: Option<May> =
        agents::table.find(number).select(agents::may).first(conn).optional().map_err(Failure::from)?;
    match may {
        Some(May::Propose) if scope != permissions::PROPOSE => {
            Err(codes::AGENT_LIMITED.because("The limits of this agent let it read and propose only.").into())
        }
        Some(May::Read) => Err(codes::AGENT_LIMITED.because("The limits of this agent let it read only.").into()),
        Some(May::Propose | May::Apply) | None => Ok(may),
    }
}

/// Counts what an agent stores; 403 if it is more than its limits allow in a day. Negative `bytes` are of a plan, draft
/// or upload that becomes a version, which is counted again.
pub fn count_bytes(conn: &mut Conn, author: &Author, bytes: i64, at: Timestamp) -> Result<(), Error> {
    if bytes == 0 || author.actor.kind != ActorKind::Agent {
        return Ok(());
    }
    let number = agent_number(author.workspace, &author.grant_id);
    let Some(agent) = find(conn, author.workspace, &author.grant_id)? else { return Ok(()) };
    // In the transaction of the change: what is refused or rolled back is not counted.
    let written = (agent.bytes_today(at) + bytes).max(0);
    if bytes > 0 && agent.bytes_per_day.is_some_and(|most| written > most) {
        let message = "The limits of this agent let it write no more today. The day ends at midnight, UTC.";
        return Err(codes::AGENT_LIMITED.because(message).into());
    }
    let counted = (agents::bytes_day.eq(day(at)), agents::bytes_on_day.eq(written));
    prepared(diesel::update(agents::table.find(number)).set(counted)).execute(conn).map_err(Failure::from)?;
    Ok(())
}

pub fn find(conn: &mut Conn, workspace: WorkspaceId, grant_id: &str) -> Result<Option<Agent>, Failure> {
    let row = agents::table.find(agent_number(workspace, grant_id)).select(Agent::as_select());
    Ok(row.first(conn).optional()?)
}

/// Up to `rows` agents of a workspace in the order of their grants' ids, starting after `after`.
pub fn list(conn: &mut Conn, workspace: WorkspaceId, after: &str, rows: i64) -> Result<Vec<Agent>, Failure> {
    let following = agents::table.filter(agents::workspace_id.eq(workspace).and(agents::grant_id.gt(after)));
    Ok(following.order(agents::grant_id).limit(rows).select(Agent::as_select()).load(conn)?)
}

/// The folders and types of an agent's limits.
pub fn rooms(conn: &mut Conn, number: i64) -> Result<(Vec<FileId>, Vec<FileType>), Failure> {
    let folders = agent_folders::table.filter(agent_folders::agent.eq(number)).order(agent_folders::file_id);
    let types = agent_types::table.filter(agent_types::agent.eq(number)).order(agent_types::kind);
    Ok((folders.select(agent_folders::file_id).load(conn)?, types.select(agent_types::kind).load(conn)?))
}

/// New limits. `None` means no limit.
#[derive(Clone, Debug)]
pub struct NewLimits<'a> {
    pub folders: Option<&'a [FileId]>,
    pub types: Option<&'a [FileType]>,
    pub may: May,
    pub bytes_per_day: Option<i64>,
}

/// Takes the place of the limits that the agent has.
pub fn set_limits(
    conn: &mut Conn,
    number: i64,
    limits: &NewLimits<'_>,
    by: &str,
    at: Timestamp,
) -> Result<(), Failure> {
    let NewLimits { folders, types, may, bytes_per_day } = limits;
    let values = (
        agents::may.eq(may),
        agents::is_in_folders.eq(folders.is_some()),
        agents::is_of_types.eq(types.is_some()),
        agents::bytes_per_day.eq(bytes_per_day),
        agents::limited_by.eq(Some(by)),
        agents::limited_at.eq(Some(at)),
    );
    prepared(diesel::update(agents::table.find(number)).set(values)).execute(conn)?;
    // Replaced as a whole: nobody has to know which limits there were.
    diesel::delete(agent_folders::table.filter(agent_folders::agent.eq(number))).execute(conn)?;
    diesel::delete(agent_types::table.filter(agent_types::agent.eq(number))).execute(conn)?;
    for folder in folders.unwrap_or_default() {
        let row = (agent_folders::agent.eq(number), agent_folders::file_id.eq(folder));
        on_each!(conn, |c| diesel::insert_into(agent_folders::table).values(row).on_conflict_do_nothing().execute(c))?;
    }
    for kind in types.unwrap_or_default() {
        let row = (agent_types::agent.eq(number), agent_types::kind.eq(kind));
        on_each!(conn, |c| diesel::insert_into(agent_types::table).values(row).on_conflict_do_nothing().execute(c))?;
    }
    Ok(())
}

/// Stores who has revoked the grant of an agent; `by` is the JSON of an actor.
pub fn set_revoked(conn: &mut Conn, number: i64, by: &str) -> Result<(), Failure> {
    prepared(diesel::update(agents::table.find(number)).set(agents::revoked_by.eq(Some(by)))).execute(conn)?;
    Ok(())
}
