//! The sweeps of plans.

use std::{collections::BTreeMap, time::Duration};

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::sweep::Sweep};

use crate::{
    base::{
        ids::{PlanId, WorkspaceId},
        tables::edit_plans,
    },
    workspace,
};

// Plans can be read for 30 days after they expire.
const RETENTION: Duration = Duration::from_secs(2_592_000);

pub const PLANS: Sweep = Sweep { name: "edit plans", delete_batch: delete_plans };

/// Deletes the contents of expired plans.
// At once: a content may have megabytes, and an expired plan can only be rebased, from its operations.
pub const CONTENTS: Sweep = Sweep { name: "contents of edit plans", delete_batch: delete_contents };

fn delete_plans(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let old: Vec<(PlanId, WorkspaceId, i64)> = edit_plans::table
        .filter(edit_plans::expires_at.le(now.minus(RETENTION)))
        .select((edit_plans::id, edit_plans::workspace_id, edit_plans::content_bytes + edit_plans::text_bytes))
        .limit(limit)
        .load(conn)?;
    let ids = give_back(conn, old)?;
    Ok(on_each!(conn, |c| diesel::delete(edit_plans::table.filter(edit_plans::id.eq_any(ids))).execute(c))?)
}

fn delete_contents(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let over: Vec<(PlanId, WorkspaceId, i64)> = edit_plans::table
        .filter(edit_plans::expires_at.le(now).and(edit_plans::content.is_not_null()))
        .select((edit_plans::id, edit_plans::workspace_id, edit_plans::content_bytes))
        .limit(limit)
        .load(conn)?;
    let ids = give_back(conn, over)?;
    let emptied = (
        edit_plans::content.eq(None::<String>),
        edit_plans::content_bytes.eq(0),
        edit_plans::authorship.eq(None::<String>),
    );
    Ok(on_each!(conn, |c| {
        diesel::update(edit_plans::table.filter(edit_plans::id.eq_any(ids))).set(emptied).execute(c)
    })?)
}

/// Gives back the storage of plans, and returns their ids.
fn give_back(conn: &mut Conn, plans: Vec<(PlanId, WorkspaceId, i64)>) -> Result<Vec<PlanId>, Failure> {
    let mut of_workspaces = BTreeMap::new();
    for (_, workspace, bytes) in &plans {
        *of_workspaces.entry(*workspace).or_insert(0) += bytes;
    }
    // One write for each workspace, in one order: two sweeps never wait for each other.
    for (workspace, bytes) in of_workspaces {
        workspace::store::give_back(conn, workspace, bytes)?;
    }
    Ok(plans.into_iter().map(|(id, ..)| id).collect())
}
