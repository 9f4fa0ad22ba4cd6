//! Reading the feed.

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::Conn;

use super::item::ChangeRow;
use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        tables::{changes, workspaces},
    },
    files::{self, file::File},
    workspace::changes::ChangeType,
};

/// Changes that one look for some types goes through at most.
const SCANNED: i64 = 500;

/// Where a reader is in a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Before the oldest change that is still known.
    Oldest,
    /// After the change of this number.
    After(i64),
}

/// What a look at the feed finds.
#[derive(Clone, Debug)]
pub struct Found {
    /// The changes that were looked for, in their order.
    pub changes: Vec<ChangeRow>,
    /// The number of the last change that was looked at: the next look begins after it.
    pub last: i64,
    /// Whether there are changes after that.
    pub has_more: bool,
}

/// At most `limit` changes of these types from the start on; `None` when some that come after it are no longer known.
pub fn look(
    conn: &mut Conn,
    owner: WorkspaceId,
    start: Start,
    types: Option<&[ChangeType]>,
    limit: usize,
) -> Result<Option<Found>, Failure> {
    let newest: i64 = workspaces::table.find(owner).select(workspaces::change_sequence).first(conn)?;
    // One more than are wanted tells whether there are more.
    let scanned = if types.is_some() { SCANNED } else { i64::try_from(limit).unwrap_or(SCANNED) + 1 };
    let mut query = changes::table
        .filter(changes::workspace_id.eq(owner))
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
    let mut changes = Vec::new();
    let mut has_more = false;
    for row in rows {
        // The numbers have no gaps: where one is missing, the sweep has been.
        if row.sequence != last + 1 {
            return Ok(None);
        }
        let is_wanted = types.is_none_or(|types| types.contains(&row.kind));
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

/// The files that the changes are about, as they are now, but for those that are purged.
pub fn files(conn: &mut Conn, owner: WorkspaceId, changes: &[ChangeRow]) -> Result<BTreeMap<FileId, File>, Failure> {
    let ids: BTreeSet<FileId> = changes.iter().filter_map(|change| change.file_id).collect();
    let ids: Vec<FileId> = ids.into_iter().collect();
    let found = files::store::with_ids(conn, owner, &ids)?;
    Ok(found.into_iter().map(|file| (file.id, file)).collect())
}
