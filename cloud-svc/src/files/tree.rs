//! The tree of folders: which folders lead to a file, and what may be put where.

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Bool, Text},
};
use shared_model::{Error, Failure, Problem, Refusal, code};
use shared_runtime::{Conn, on_each, state::db::prepared};

use super::file::{File, FileState};
use crate::base::{
    codes,
    ids::{FileId, WorkspaceId},
    tables::files,
};
use cloud_content::file_type::FileType;

/// Folders within one another at most.
pub const DEPTH: usize = 32;
/// Files directly in a folder at most.
pub const CHILDREN: i64 = 10_000;

/// That no folder on the way to a file of `files` is in the trash or purged, as SQL.
pub const IS_VISIBLE: &str = "NOT EXISTS (
    WITH RECURSIVE up (parent_id, state) AS (
        SELECT folder.parent_id, folder.state FROM files folder WHERE folder.id = files.parent_id
        UNION ALL SELECT folder.parent_id, folder.state FROM files folder JOIN up ON folder.id = up.parent_id
    ) SELECT 1 FROM up WHERE state <> 'active')";

/// A folder on the way to a file.
#[derive(Clone, Copy, Debug, QueryableByName)]
pub struct PathFolder {
    #[diesel(sql_type = BigInt)]
    pub id: FileId,
    /// Whether it is not in the trash; a purged one is.
    #[diesel(sql_type = Bool)]
    pub is_active: bool,
}

/// This folder and those that it is in, up to the top.
pub fn path(conn: &mut Conn, folder: FileId) -> Result<Vec<PathFolder>, Failure> {
    const SQL: &str = "WITH RECURSIVE up (id, parent_id, state) AS (
            SELECT id, parent_id, state FROM files WHERE id = $1
            UNION ALL SELECT folder.id, folder.parent_id, folder.state FROM files folder JOIN up ON folder.id = up.parent_id
        ) SELECT id, state = 'active' AS is_active FROM up";
    Ok(on_each!(conn, |c| prepared(sql_query(SQL).bind::<BigInt, _>(folder)).load(c))?)
}

#[derive(QueryableByName)]
struct NamedFolder {
    #[diesel(sql_type = BigInt)]
    id: FileId,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Bool)]
    is_active: bool,
    #[diesel(sql_type = Bool)]
    is_purged: bool,
}

/// The folders from the top down to this one, with their names, as far as they are visible: the path ends at a trashed folder,
/// and before a purged one.
pub fn visible_path(conn: &mut Conn, owner: WorkspaceId, folder: FileId) -> Result<Vec<(FileId, String)>, Failure> {
    const SQL: &str = "WITH RECURSIVE up (id, parent_id, name, state, purged_at) AS (
            SELECT id, parent_id, name, state, purged_at FROM files WHERE id = $1 AND workspace_id = $2
            UNION ALL SELECT folder.id, folder.parent_id, folder.name, folder.state, folder.purged_at
            FROM files folder JOIN up ON folder.id = up.parent_id
        ) SELECT id, name, state = 'active' AS is_active, purged_at IS NOT NULL AS is_purged FROM up";
    let query = sql_query(SQL).bind::<BigInt, _>(folder).bind::<BigInt, _>(owner);
    let found: Vec<NamedFolder> = on_each!(conn, |c| prepared(query).load(c))?;
    let mut path = Vec::new();
    for folder in found.into_iter().rev().take_while(|folder| !folder.is_purged) {
        path.push((folder.id, folder.name));
        if !folder.is_active {
            break;
        }
    }
    Ok(path)
}

/// Whether what is in the last folder of a path can be seen.
pub fn is_visible(path: &[PathFolder]) -> bool {
    path.iter().all(|folder| folder.is_active)
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// How many folders are one within the other, from this one on.
fn height(conn: &mut Conn, folder: FileId) -> Result<usize, Failure> {
    // Statistics of one large folder turn SQLite's planner to the index that has all files, and to a walk through all folders
    // for each one: it takes the sides of a cross join as they are written.
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

/// Whether the folder has as many files as it may have.
fn is_full(conn: &mut Conn, folder: FileId) -> Result<bool, Failure> {
    const SQL: &str = "SELECT count(*) AS number FROM (SELECT 1 FROM files WHERE parent_id = $1 LIMIT $2) AS children";
    let counted = sql_query(SQL).bind::<BigInt, _>(folder).bind::<BigInt, _>(CHILDREN);
    let Number { number } = on_each!(conn, |c| prepared(counted).get_result(c))?;
    Ok(number >= CHILDREN)
}

#[derive(Clone, Copy, Debug)]
pub enum Put<'a> {
    New(FileType),
    /// Something that is there already.
    Existing(&'a File),
}

/// Checks that something may be put into a folder of the owner's, or at the top: 404 if there is no such folder, 409 unless it
/// is an active folder outside of what is put, 422 where it would be too deep or too full.
pub fn check_place(conn: &mut Conn, owner: WorkspaceId, parent: Option<FileId>, put: Put<'_>) -> Result<(), Error> {
    let Some(parent) = parent else { return Ok(()) };
    let found: Option<(FileType, FileState)> = files::table
        .filter(files::id.eq(parent).and(files::workspace_id.eq(owner)).and(files::purged_at.is_null()))
        .select((files::kind, files::state))
        .first(conn)
        .optional()
        .map_err(Failure::from)?;
    let path = match found {
        None => return Err(no_such_parent().into()),
        Some(_) => path(conn, parent)?,
    };
    let (parent_itself, above) = path.split_first().ok_or_else(|| Failure::fault("a folder is not on its own path"))?;
    match found {
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
        return Err(not_there(format!(
            "must be at most {DEPTH} folders deep with what is put there, would be {depth}"
        )));
    }
    let is_there = matches!(put, Put::Existing(file) if file.parent_id == Some(parent));
    if !is_there && is_full(conn, parent)? {
        return Err(not_there(format!(
            "must be a folder with room: this one has {CHILDREN} files, which is all it may have"
        )));
    }
    Ok(())
}

/// The folder that a file in the trash was in, or the top where that is purged.
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

fn not_there(rule: String) -> Error {
    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: "/parent_id".to_owned(), rule }]).into()
}
