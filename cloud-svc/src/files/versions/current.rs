//! Makes added versions the current ones.

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::db::prepared};

use crate::{
    base::{id_list, ids::WorkspaceId, tables::files},
    files::{file::File, search_entries},
};
use cloud_content::kinds::native_kind;

/// Makes the next version of each file the current one. The changes have been logged under consecutive numbers, in the
/// order of the files.
// The etag names the version, so the revision of the record stays.
pub fn write(conn: &mut Conn, owner: WorkspaceId, all: &[File], at: Timestamp) -> Result<(), Failure> {
    let Some(first) = all.first().map(|file| file.change_sequence) else { return Ok(()) };
    let (before, after) = id_list::condition(conn, "files.id");
    let position = id_list::position(conn, "$2", "files.id");
    let sql = format!(
        "UPDATE files SET current_version = current_version + 1, change_sequence = $1 + {position}, updated_at = $3
        WHERE {before}$2{after}"
    );
    let ids = id_list::parameter(conn, all.iter().map(|file| file.id.number()));
    let update = sql_query(sql).bind::<BigInt, _>(first).bind::<Text, _>(ids).bind::<BigInt, _>(at);
    on_each!(conn, |c| prepared(update).execute(c))?;
    for File { id, kind, .. } in all.iter().filter(|file| native_kind(file.kind).is_none()) {
        // Only an upload can change the type of its file.
        prepared(diesel::update(files::table.find(id)).set(files::kind.eq(kind))).execute(conn)?;
    }
    for file in all {
        search_entries::write(owner, file.id, file.change_sequence, at);
    }
    Ok(())
}
