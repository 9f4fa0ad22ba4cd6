//! The tree of folders: paths, visibility, and checks of a place for a file.

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Bool},
};
use shared_model::{Error, Failure, Problem, Refusal, code};
use shared_runtime::{Conn, on_each, state::db::prepared};

use super::file::{File, FileState};
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

/// SQL: whether a row of `files` is below a folder. Append the folder as a parameter, then `)`.
pub const IS_BELOW: &str = "EXISTS (
    WITH RECURSIVE up (id, parent_id) AS (
        SELECT folder.id, folder.parent_id FROM files folder WHERE folder.id = files.parent_id
        UNION ALL SELECT folder.id, folder.parent_id FROM files folder JOIN up ON folder.id = up.parent_id
    ) SELECT 1 FROM up WHERE id = ";

#[derive(Clone, Copy, Debug, QueryableByName)]
pub struct PathFolder {
    #[diesel(sql_type = BigInt)]
    pub id: FileId,
    /// False in the trash; a purged folder is in the trash, too.
    #[diesel(sql_type = Bool)]
    pub is_active: bool,
}

/// This folder and its ancestors, up to the top.
pub fn path(conn: &mut Conn, folder: FileId) -> Result<Vec<PathFolder>, Failure> {
    const SQL: &str = "WITH RECURSIVE up (id, parent_id, state) AS (
            SELECT id, parent_id, state FROM files WHERE id = $1
            UNION ALL SELECT folder.id, folder.parent_id, folder.state FROM files folder JOIN up ON folder.id = up.parent_id
        ) SELECT id, state = 'active' AS is_active FROM up";
    Ok(on_each!(conn, |c| prepared(sql_query(SQL).bind::<BigInt, _>(folder)).load(c))?)
}

pub fn is_visible(path: &[PathFolder]) -> bool {
    path.iter().all(|folder| folder.is_active)
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// How many levels of folders there are from this one down; 1 without subfolders.
fn height(conn: &mut Conn, folder: FileId) -> Result<usize, Failure> {
    // With statistics of one large folder, SQLite's planner takes the index of all files and walks through all folders
    // for each of them. The index hint prevents the first; CROSS JOIN keeps the order of the join.
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

fn is_full(conn: &mut Conn, folder: FileId) -> Result<bool, Failure> {
    // LIMIT stops the count at the bound: a full folder has 10 000 rows.
    const SQL: &str = "SELECT count(*) AS number FROM (SELECT 1 FROM files WHERE parent_id = $1 LIMIT $2) AS children";
    let counted = sql_query(SQL).bind::<BigInt, _>(folder).bind::<BigInt, _>(CHILDREN);
    let Number { number } = on_each!(conn, |c| prepared(counted).get_result(c))?;
    Ok(number >= CHILDREN)
}

#[derive(Clone, Copy, Debug)]
pub enum Put<'a> {
    New(FileType),
    /// A file that exists already.
    Existing(&'a File),
}

/// Checks the place for a new or moved file: 404 without such a folder, 409 unless it is an active folder outside the
/// file, 422 if it is too deep or full.
pub fn check_place(conn: &mut Conn, owner: Owner, parent: Option<FileId>, put: Put<'_>) -> Result<(), Error> {
    let Some(parent) = parent else {
        // The top is outside of the folders of an agent's limits.
        if limits::of(conn, owner)?.is_in_folders {
            let message = "The limits of this agent leave out the top: name a folder in parent_id.";
            return Err(no_such_parent().because(message).into());
        }
        return Ok(());
    };
    let found: Option<(FileType, FileState)> = files::table
        .filter(files::id.eq(parent).and(files::workspace_id.eq(owner.workspace())).and(files::purged_at.is_null()))
        .select((files::kind, files::state))
        .first(conn)
        .optional()
        .map_err(Failure::from)?;
    // A folder outside of the limits gets the answer of one that does not exist.
    let is_allowed = limits::allowed(conn, owner, &[parent])?.contains(&parent);
    let path = match found.filter(|_| is_allowed) {
        None => return Err(no_such_parent().into()),
        Some(_) => path(conn, parent)?,
    };
    let (parent_itself, above) =
        path.split_first().ok_or_else(|| Failure::fault("the path of a folder does not begin with the folder"))?;
    match found {
        // A trashed ancestor hides the folder, so the answer must be that of a folder that does not exist.
        _ if parent_itself.is_active && !is_visible(above) => return Err(no_such_parent().into()),
        Some((FileType::Folder, FileState::Active)) => {}
        Some((FileType::Folder, FileState::Trashed)) => return Err(codes::PARENT_TRASHED.refusal().into()),
        _ => return Err(codes::PARENT_NOT_FOLDER.refusal().into()),
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
    if !is_there && is_full(conn, parent)? {
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
    Refusal {
        next: codes::PARENT_NOT_FOLDER.next.action(false),
        ..code::not_found().because("There is no such parent folder.")
    }
}

fn invalid_parent(rule: String) -> Error {
    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: "/parent_id".to_owned(), rule }]).into()
}
