//! Queries of the change feed.

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::{Conn, state::db::prepared};

use super::item::ChangeRow;
use crate::{
    base::{
        ids::FileId,
        owner::Owner,
        tables::{changes, workspaces},
    },
    files::{self, file::File},
    workspace::{changes::ChangeType, limits},
};

// Bounds one query for rare types: the reader continues after the last row that was read.
const SCANNED: i64 = 500;
/// Changes that one page of the newest goes through for an agent with limits.
const NEWEST_SCANNED: i64 = 4_096;

/// Where a reader starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Before the oldest change that is kept.
    Oldest,
    /// After the change with this number.
    After(i64),
}

#[derive(Clone, Debug)]
pub struct Found {
    /// In the order of their numbers.
    pub changes: Vec<ChangeRow>,
    /// The number of the last row that was read; the next query starts after it.
    pub last: i64,
    /// Whether more changes follow.
    pub has_more: bool,
}

/// Up to `limit` changes of these types after the start; `None` if changes after it are no longer kept.
pub fn look(
    conn: &mut Conn,
    owner: Owner,
    start: Start,
    types: Option<&[ChangeType]>,
    limit: usize,
) -> Result<Option<Found>, Failure> {
    let newest: i64 = workspaces::table.find(owner.workspace()).select(workspaces::change_sequence).first(conn)?;
    // One more than the limit shows whether more follow.
    let is_narrow = limits::of(conn, owner)?.is_narrow();
    let scanned = if types.is_some() || is_narrow { SCANNED } else { i64::try_from(limit).unwrap_or(SCANNED) + 1 };
    let mut query = changes::table
        .filter(changes::workspace_id.eq(owner.workspace()))
        .order(changes::sequence)
        .select(ChangeRow::as_select())
        .limit(scanned)
        .into_boxed();
    if let Start::After(sequence) = start {
        query = query.filter(changes::sequence.gt(sequence));
    }
    let rows: Vec<ChangeRow> = query.load(conn)?;
    let mut last = match (start, rows.first()) {
        (Start::After(sequence), Some(_)) => sequence,
        (Start::After(sequence), None) if sequence == newest => sequence,
        (Start::After(_), None) => return Ok(None),
        (Start::Oldest, Some(first)) => first.sequence - 1,
        (Start::Oldest, None) => newest,
    };
    // What is outside of an agent's limits is skipped like changes of other types.
    let seen = if is_narrow { files(conn, owner, &rows)? } else { BTreeMap::new() };
    let is_seen = |row: &ChangeRow| !is_narrow || row.file_id.is_some_and(|id| seen.contains_key(&id));
    let mut changes = Vec::new();
    let mut has_more = false;
    for row in rows {
        // Numbers have no gaps, so a missing number was deleted by the sweep.
        if row.sequence != last + 1 {
            return Ok(None);
        }
        let is_wanted = types.is_none_or(|types| types.contains(&row.kind)) && is_seen(&row);
        if is_wanted && changes.len() == limit {
            has_more = true;
            break;
        }
        last = row.sequence;
        if is_wanted {
            changes.push(row);
        }
    }
    Ok(Some(Found { changes, last, has_more: has_more || last < newest }))
}

/// The newest changes before this number that are still kept, newest first. If it stopped early, also the number before
/// which it has not looked. There may be a million changes outside of an agent's limits.
pub fn newest(
    conn: &mut Conn,
    owner: Owner,
    before: Option<i64>,
    rows: i64,
) -> Result<(Vec<ChangeRow>, Option<i64>), Failure> {
    let mut query = changes::table
        .filter(changes::workspace_id.eq(owner.workspace()))
        .filter(changes::sequence.lt(before.unwrap_or(i64::MAX)))
        .order(changes::sequence.desc())
        .select(ChangeRow::as_select())
        .limit(rows)
        .into_boxed();
    let mut stopped_at = None;
    if limits::of(conn, owner)?.is_narrow() {
        // Changes of no file and of purged files would tell an agent about what is outside its limits.
        limits::within_limits_of_file!(query, owner, "changes.file_id");
        let newest: i64 = workspaces::table.find(owner.workspace()).select(workspaces::change_sequence).first(conn)?;
        let of_workspace = changes::table.filter(changes::workspace_id.eq(owner.workspace()));
        let oldest: Option<i64> =
            of_workspace.order(changes::sequence).select(changes::sequence).first(conn).optional()?;
        let since = before.unwrap_or(newest + 1) - NEWEST_SCANNED;
        query = query.filter(changes::sequence.ge(since));
        stopped_at = Some(since).filter(|since| oldest.is_some_and(|oldest| oldest < *since));
    }
    Ok((prepared(query).load(conn)?, stopped_at))
}

/// The current files of these changes, without purged ones.
pub fn files(conn: &mut Conn, owner: Owner, changes: &[ChangeRow]) -> Result<BTreeMap<FileId, File>, Failure> {
    let ids: BTreeSet<FileId> = changes.iter().filter_map(|change| change.file_id).collect();
    let ids: Vec<FileId> = ids.into_iter().collect();
    let found = files::store::with_ids(conn, owner, &ids)?;
    Ok(found.into_iter().map(|file| (file.id, file)).collect())
}
