//! The record of an agent.

use std::collections::HashMap;

use diesel::{dsl::count_star, prelude::*};
use serde::{Deserialize, Serialize};
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{
    Conn,
    identity::{Actor, known_grants},
    on_each,
};
use utoipa::ToSchema;

use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        plan_state::OPEN,
        tables::edit_plans,
    },
    workspace::agents::{self, Agent, May},
};
use cloud_content::file_type::FileType;

/// What an agent may see and do.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AgentLimits {
    /// It sees only these folders and what is in them; null for all files.
    #[schema(required, max_items = 20)]
    pub folders: Option<Vec<FileId>>,
    /// It sees only files of these types, and folders; null for all types.
    #[schema(required, max_items = 8)]
    pub types: Option<Vec<FileType>>,
    pub may: May,
    /// How much it may write in a day, which begins at midnight UTC; null for as much as the quota allows.
    #[schema(required, minimum = 0, example = 1_048_576)]
    pub bytes_per_day: Option<i64>,
    /// The person who set them; null if nobody did.
    #[schema(required)]
    pub set_by: Option<Actor>,
    #[schema(required)]
    pub set_at: Option<Timestamp>,
}

/// An agent of the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AgentRecord {
    /// The grant under which it acts.
    #[schema(example = "grant_7")]
    pub grant_id: String,
    /// Untrusted: the name comes from the issuer.
    pub actor: Actor,
    pub first_seen_at: Timestamp,
    /// When it last ran a command; null if it has only read.
    #[schema(required)]
    pub last_command_at: Option<Timestamp>,
    /// When the last token that was seen of it expires.
    #[schema(required)]
    pub token_expires_at: Option<Timestamp>,
    /// Whether its grant is neither revoked nor expired.
    pub is_active: bool,
    /// From then on it is refused, for good.
    #[schema(required)]
    pub revoked_at: Option<Timestamp>,
    /// The person who revoked it; null if nobody did, or the operator.
    #[schema(required)]
    pub revoked_by: Option<Actor>,
    /// The plans of its actor that are proposed, in review, approved or returned.
    #[schema(minimum = 0, example = 1)]
    pub open_plans: i64,
    /// What it has written since midnight, UTC.
    #[schema(minimum = 0, example = 2048)]
    pub bytes_today: i64,
    pub limits: AgentLimits,
}

pub fn limits(conn: &mut Conn, agent: &Agent) -> Result<AgentLimits, Failure> {
    let (folders, types) = agents::rooms(conn, agent.number)?;
    Ok(AgentLimits {
        folders: agent.is_in_folders.then_some(folders),
        types: agent.is_of_types.then_some(types),
        may: agent.may,
        bytes_per_day: agent.bytes_per_day,
        set_by: agent.limited_by.clone().map(|Json(actor)| actor),
        set_at: agent.limited_at,
    })
}

/// The records of these agents of a workspace.
pub fn records(
    conn: &mut Conn,
    workspace: WorkspaceId,
    found: Vec<Agent>,
    now: Timestamp,
) -> Result<Vec<AgentRecord>, Failure> {
    // One query for all of a page. A plan names its author, not the grant.
    let authors: Vec<&str> = found.iter().map(|agent| agent.author_key.as_str()).collect();
    let counted: Vec<(String, i64)> = on_each!(conn, |c| edit_plans::table
        .filter(edit_plans::workspace_id.eq(workspace).and(edit_plans::expires_at.gt(now)))
        .filter(edit_plans::state.eq_any(OPEN).and(edit_plans::author_key.eq_any(&authors)))
        .group_by(edit_plans::author_key)
        .select((edit_plans::author_key, count_star()))
        .load(c))?;
    let open_plans: HashMap<String, i64> = counted.into_iter().collect();
    let mut records = Vec::with_capacity(found.len());
    for agent in found {
        let grant = known_grants::find(conn, &agent.grant_id, now)?;
        records.push(AgentRecord {
            limits: limits(conn, &agent)?,
            bytes_today: agent.bytes_today(now),
            open_plans: open_plans.get(&agent.author_key).copied().unwrap_or_default(),
            token_expires_at: grant.as_ref().and_then(|grant| grant.expires_at),
            revoked_at: grant.as_ref().and_then(|grant| grant.revoked_at),
            is_active: grant.is_some_and(|grant| grant.is_active),
            revoked_by: agent.revoked_by.map(|Json(actor)| actor),
            grant_id: agent.grant_id,
            actor: agent.actor.0,
            first_seen_at: agent.first_seen_at,
            last_command_at: agent.last_command_at,
        });
    }
    Ok(records)
}
