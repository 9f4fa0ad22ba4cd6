//! How far one page of a list goes for an agent with limits.

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::{Conn, state::db::prepared};

use super::{
    file::FileState,
    store::{Filter, Place},
};
use crate::{
    base::{ids::FileId, owner::Owner, tables::files},
    workspace::limits,
};

/// Files that one page goes through.
const MOST_LOOKED_AT: i64 = 4_096;

/// The oldest file of those that one page of an agent with limits goes through. `None` if that is all files after
/// `after`.
// A million files outside of its limits would take seconds to go through, and each is followed to the top.
pub fn oldest_of_page(
    conn: &mut Conn,
    owner: Owner,
    filter: Filter<'_>,
    after: Option<FileId>,
) -> Result<Option<FileId>, Failure> {
    let state = filter.state;
    // The files of a folder and those at the top are found by an index.
    if filter.place != Place::Anywhere || !limits::of(conn, owner)?.is_narrow() {
        return Ok(None);
    }
    let mut query = files::table
        .filter(files::workspace_id.eq(owner.workspace()).and(files::state.eq(state)).and(files::purged_at.is_null()))
        .select(files::id)
        .order(files::id.desc())
        .offset(MOST_LOOKED_AT - 1)
        .limit(1)
        .into_boxed();
    if state == FileState::Trashed {
        // As in `store::list`: the planner needs this condition.
        query = query.filter(files::trashed_at.is_not_null());
    }
    if let Some(after) = after {
        query = query.filter(files::id.lt(after));
    }
    Ok(prepared(query).load(conn)?.pop())
}
