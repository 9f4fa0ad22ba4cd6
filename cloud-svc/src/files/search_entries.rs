//! The entries of files in the search by content. A command that writes a name, a content or a comment notes it here, in the same
//! transaction.

use std::collections::BTreeMap;

use diesel::{prelude::*, upsert::excluded};
use shared_model::{Failure, Timestamp};
use shared_runtime::{
    Conn, jobs,
    state::db::{Appended, append},
    upsert_rows,
};

use crate::base::{
    id_list::ROWS_TOGETHER,
    ids::{FileId, WorkspaceId},
    tables::search_entries,
};

/// The job that brings new entries into the index. There is one for each workspace.
pub const JOB_KIND: &str = "search_index";

// Writes within this time are indexed together. Until then, a search reads them one by one.
const PAUSE: std::time::Duration = std::time::Duration::from_secs(1);

struct Entry {
    file: FileId,
    owner: WorkspaceId,
    sequence: i64,
    at: Timestamp,
}

impl Appended for Entry {
    fn insert(conn: &mut Conn, entries: Vec<Self>) -> Result<(), Failure> {
        let workspaces: BTreeMap<_, _> = entries.iter().map(|entry| (entry.owner, entry.at)).collect();
        // A file may have been written twice. The last change counts, and one statement may write a row only once.
        let by_file: BTreeMap<_, _> = entries.into_iter().map(|entry| (entry.file, entry)).collect();
        let rows: Vec<_> = by_file
            .into_values()
            .map(|entry| {
                (
                    search_entries::file_id.eq(entry.file),
                    search_entries::workspace_id.eq(entry.owner),
                    search_entries::sequence.eq(entry.sequence),
                )
            })
            .collect();
        for some in rows.chunks(ROWS_TOGETHER) {
            upsert_rows!(conn, some.iter().copied(), |rows| {
                let insert = diesel::insert_into(search_entries::table).values(rows);
                insert
                    .on_conflict(search_entries::file_id)
                    .do_update()
                    .set(search_entries::sequence.eq(excluded(search_entries::sequence)))
            })?;
        }
        workspaces.into_iter().try_for_each(|(owner, at)| index_later(conn, owner, at))
    }
}

/// Notes, at the end of the transaction, that the change `sequence` wrote the file's name, content or comments.
pub fn write(owner: WorkspaceId, file: FileId, sequence: i64, at: Timestamp) {
    append(Entry { file, owner, sequence, at });
}

/// Makes sure that the workspace's new entries will be indexed.
pub fn index_later(conn: &mut Conn, owner: WorkspaceId, at: Timestamp) -> Result<(), Failure> {
    jobs::ensure(conn, JOB_KIND, &owner.number().to_string(), "", at.plus(PAUSE))?;
    Ok(())
}
