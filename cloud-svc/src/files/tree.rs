//! The tree of folders: paths, visibility, and checks of a place for a file.

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Bool},
};
use shared_model::{Error, Failure, Problem, Refusal, code};
use shared_runtime::{Conn, on_each, state::db::prepared};

use super::{file::File, fixed_condition::fixed_condition};
use crate::base::{codes, ids::FileId, owner::Owner, tables::files};
use crate::workspace::limits;
use cloud_content::file_type::FileType;

/// Most folders inside one another.
pub const DEPTH: usize = 32;
/// Most files directly inside a folder.
pub const CHILDREN: i64 = 10_000;

/// SQL: no folder on the path to a row of `files` is in the trash or purged.
// `purged_at` need not be checked: a purged folder is in the trash, too.
pub const IS_VISIBLE: &str = "NOT EXISTS (
    WITH RECURSIVE up (parent_id, state) AS (
        SELECT folder.parent_id, folder.state FROM files folder WHERE folder.id = files.parent_id
        UNION ALL SELECT folder.parent_id, folder.state FROM files folder JOIN up ON folder.id = up.parent_id
    ) SELECT 1 FROM up WHERE state <> 'active')";

fixed_condition! {
    /// A row of `files` is visible, or in the trash itself: a folder in the trash hides only the active files inside.
    pub struct IsNotHidden = "(files.state <> 'active' OR ", IS_VISIBLE, ")";
}

/// SQL: whether a row of `files` is below a folder. Append the folder as a parameter, then `)`.
pub const IS_BELOW: &str = "EXISTS (
    WITH RECURSIVE up (id, parent_id) AS (
        SELECT folder.id, folder.parent_id FROM files folder WHERE folder.id = files.parent_id
        UNION ALL SELECT folder.id, folder.parent_id FROM files folder JOIN up ON folder.id = up.parent_id
    ) SELECT 1 FROM up WHERE id = ";

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// How many levels of folders there are from this one down; 1 without subfolders.
fn height(conn: &mut Conn, folder: FileId) -> Result<usize, Failure> {
    // With statistics of one large folder, SQLite's planner takes the index of all files. For each of them it walks
    // through all folders. The index hint prevents the first; CROSS JOIN keeps the order of the join.
    let index = if matches!(conn, Conn::Sqlite(_)) { "INDEXED BY folders_of_folder" } else { "" };
    let sql = format!(
        "WITH RECURSIVE down (id, height) AS (
            SELECT CAST($1 AS BIGINT), 1
            UNION ALL SELECT folder.id, down.height + 1 FROM down CROSS JOIN files folder {index}
            WHERE folder.parent_id = down.id AND folder.type = 'folder'
        ) SELECT CAST(max(height) AS BIGINT) AS number FROM down"
    );
    let Number { number } = on_each!(conn, |c| prepared(sql_query(sql).bind::<BigInt, _>(folder)).get_result(c))?;
    Ok(usize::try_from(number).unwrap_or(usize::MAX))
}

/// The folder that a request names, which may be a file, or one of its ancestors.
#[derive(Clone, Copy, Debug, QueryableByName)]
struct PlaceFolder {
    #[diesel(sql_type = BigInt)]
    id: FileId,
    #[diesel(sql_type = Bool)]
    is_active: bool,
    #[diesel(sql_type = Bool)]
    is_folder: bool,
    /// Whether the named folder has no room.
    #[diesel(sql_type = Bool)]
    is_full: bool,
}

/// The owner's folder and its ancestors, up to the top; nothing without such a folder.
// One statement, because every new file waits for it.
fn place(conn: &mut Conn, owner: Owner, folder: FileId) -> Result<Vec<PlaceFolder>, Failure> {
    // LIMIT stops the count at the bound: a full folder has 10 000 rows.
    const SQL: &str = "WITH RECURSIVE up (id, parent_id, state, type) AS (
            SELECT id, parent_id, state, type FROM files WHERE id = $1 AND workspace_id = $2 AND purged_at IS NULL
            UNION ALL SELECT folder.id, folder.parent_id, folder.state, folder.type
            FROM files folder JOIN up ON folder.id = up.parent_id
        ) SELECT id, state = 'active' AS is_active, type = 'folder' AS is_folder,
            (SELECT count(*) FROM (SELECT 1 FROM files WHERE parent_id = $1 LIMIT $3) AS children) >= $3 AS is_full
        FROM up";
    let query = sql_query(SQL).bind::<BigInt, _>(folder).bind::<BigInt, _>(owner.workspace());
    Ok(on_each!(conn, |c| prepared(query.bind::<BigInt, _>(CHILDREN)).load(c))?)
}

#[derive(Clone, Copy, Debug)]
pub enum Put<'a> {
    New(FileType),
    /// A file that exists already.
    Existing(&'a File),
}

/// Checks the place for a new or moved file. 404 without such a folder. 409 unless it is an active folder outside the
/// file. 422 if it is too deep or full.
pub fn check_place(conn: &mut Conn, owner: Owner, parent: Option<FileId>, put: Put<'_>) -> Result<(), Error> {
    let Some(parent) = parent else {
        // The top is outside of the folders of an agent's limits.
        if limits::of(conn, owner)?.is_in_folders {
            let message = "The limits of this agent leave out the top: name a folder in parent_id.";
            return Err(no_such_parent().because(message).into());
        }
        return Ok(());
    };
    let mut path = place(conn, owner, parent)?;
    // A folder outside of the limits gets the answer of one that does not exist.
    if !limits::allowed(conn, owner, &[parent])?.contains(&parent) {
        path.clear();
    }
    let Some((parent_itself, above)) = path.split_first() else { return Err(no_such_parent().into()) };
    // A trashed ancestor hides the folder, so the answer must be that of a folder that does not exist.
    if parent_itself.is_active && above.iter().any(|folder| !folder.is_active) {
        return Err(no_such_parent().into());
    }
    if !parent_itself.is_folder {
        return Err(codes::PARENT_NOT_FOLDER.refusal().into());
    }
    if !parent_itself.is_active {
        return Err(codes::PARENT_TRASHED.refusal().into());
    }
    let folders = match put {
        Put::New(FileType::Folder) => 1,
        Put::Existing(file) if file.kind == FileType::Folder => {
            if path.iter().any(|folder| folder.id == file.id) {
                return Err(codes::PARENT_CYCLE.refusal().into());
            }
            height(conn, file.id)?
        }
        Put::New(_) | Put::Existing(_) => 0,
    };
    let depth = path.len() + folders;
    if depth > DEPTH {
        return Err(invalid_parent(format!(
            "must be at most {DEPTH} folders deep with everything that is put there; would be {depth}"
        )));
    }
    // A file that is in the full folder already needs no more room, for instance when it is restored there.
    let is_there = matches!(put, Put::Existing(file) if file.parent_id == Some(parent));
    if !is_there && parent_itself.is_full {
        return Err(invalid_parent(format!(
            "must be a folder with room: this one has {CHILDREN} files, the most that a folder may have"
        )));
    }
    Ok(())
}

/// The folder that a trashed file was in, or the top if that folder was purged.
pub fn parent_to_return_to(conn: &mut Conn, file: &File) -> Result<Option<FileId>, Failure> {
    let Some(parent) = file.parent_id else { return Ok(None) };
    let found = files::table.filter(files::id.eq(parent).and(files::purged_at.is_null())).select(files::id).first(conn);
    Ok(found.optional()?)
}

fn no_such_parent() -> Refusal {
    code::not_found().because("There is no such parent folder.").step(codes::PARENT_NOT_FOLDER.next)
}

fn invalid_parent(rule: String) -> Error {
    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: "/parent_id".to_owned(), rule }]).into()
}
