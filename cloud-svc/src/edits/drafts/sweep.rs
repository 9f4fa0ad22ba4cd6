//! The sweep of drafts.

use std::collections::BTreeMap;

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::sweep::Sweep};

use super::draft::DraftState;
use crate::{
    base::{
        ids::{DraftId, WorkspaceId},
        tables::drafts,
    },
    workspace,
};

/// Deletes drafts after their end and gives their storage back.
pub const DRAFTS: Sweep = Sweep { name: "drafts", delete_batch };

fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let over: Vec<(DraftId, WorkspaceId, DraftState, i64)> = drafts::table
        .filter(drafts::expires_at.le(now))
        .select((drafts::id, drafts::workspace_id, drafts::state, drafts::content_bytes))
        .limit(limit)
        .load(conn)?;
    let mut bytes = BTreeMap::new();
    for (_, workspace, state, content) in &over {
        // The storage of a promoted draft belongs to its file.
        if *state == DraftState::Draft {
            *bytes.entry(workspace).or_insert(0) += content;
        }
    }
    // One write for each workspace, not one for each draft.
    for (workspace, bytes) in bytes {
        workspace::store::give_back(conn, *workspace, bytes)?;
    }
    let ids: Vec<DraftId> = over.iter().map(|(id, ..)| *id).collect();
    Ok(on_each!(conn, |c| diesel::delete(drafts::table.filter(drafts::id.eq_any(ids))).execute(c))?)
}
