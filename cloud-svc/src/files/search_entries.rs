//! The entries of files in the search by content. A command that writes a name, a content or a comment notes it here, in the same
//! transaction.

use diesel::{prelude::*, upsert::excluded};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, jobs, upsert_rows};

use crate::base::{
    ids::{FileId, WorkspaceId},
    tables::search_entries,
};

/// The job that brings new entries into the index. There is one for each workspace.
pub const JOB_KIND: &str = "search_index";

// Writes within this time are indexed together. Until then, a search reads them one by one.
const PAUSE: std::time::Duration = std::time::Duration::from_secs(1);

/// Notes that the change `sequence` wrote the file's name, content or comments.
pub fn write(conn: &mut Conn, owner: WorkspaceId, file: FileId, sequence: i64, at: Timestamp) -> Result<(), Failure> {
    write_all(conn, owner, &[(file, sequence)], at)
}

/// The same for several files, each with its change.
pub fn write_all(conn: &mut Conn, owner: WorkspaceId, written: &[(FileId, i64)], at: Timestamp) -> Result<(), Failure> {
    let rows = written.iter().map(|(file, sequence)| {
        (
            search_entries::file_id.eq(file),
            search_entries::workspace_id.eq(owner),
            search_entries::sequence.eq(sequence),
        )
    });
    upsert_rows!(conn, rows, |rows| {
        let insert = diesel::insert_into(search_entries::table).values(rows);
        insert
            .on_conflict(search_entries::file_id)
            .do_update()
            .set(search_entries::sequence.eq(excluded(search_entries::sequence)))
    })?;
    index_later(conn, owner, at)
}

/// Makes sure that the workspace's new entries will be indexed.
pub fn index_later(conn: &mut Conn, owner: WorkspaceId, at: Timestamp) -> Result<(), Failure> {
    jobs::ensure(conn, JOB_KIND, &owner.number().to_string(), "", at.plus(PAUSE))?;
    Ok(())
}
