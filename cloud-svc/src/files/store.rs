//! The store of files. Every query takes the owning workspace first: a file of another workspace is not found.

use diesel::prelude::*;
use shared_model::{Failure, Name, Timestamp};
use shared_runtime::Conn;

use super::{
    file::{File, FileState, FileType},
    name_key::name_key,
};
use crate::{
    ids::{FileId, WorkspaceId},
    schema::{files, versions},
    versions::FIRST,
};

/// A file that is to be inserted, with its first version after it.
#[derive(Clone, Copy, Debug)]
pub struct NewFile<'a> {
    /// The folder that it is in.
    pub parent_id: Option<FileId>,
    /// Its name.
    pub name: &'a Name,
    /// What it is; not a folder.
    pub kind: FileType,
    /// The number of the workspace's change that creates it.
    pub change_sequence: i64,
    /// When it is created.
    pub at: Timestamp,
}

/// Inserts a file, without a version yet.
pub fn insert(conn: &mut Conn, owner: WorkspaceId, new: NewFile<'_>) -> Result<File, Failure> {
    let NewFile { parent_id, name, kind, change_sequence, at } = new;
    let id = diesel::insert_into(files::table)
        .values((
            files::workspace_id.eq(owner),
            files::parent_id.eq(parent_id),
            files::name.eq(name.as_str()),
            files::name_key.eq(name_key(name.as_str())),
            files::kind.eq(kind),
            files::state.eq(FileState::Active),
            files::current_version.eq(FIRST),
            files::meta_revision.eq(1),
            files::change_sequence.eq(change_sequence),
            files::created_at.eq(at),
            files::updated_at.eq(at),
        ))
        .returning(files::id)
        .get_result(conn)?;
    Ok(File {
        id,
        workspace_id: owner,
        parent_id,
        name: name.as_str().to_owned(),
        kind,
        current_version_id: None,
        meta_revision: 1,
        state: FileState::Active,
        created_at: at,
        updated_at: at,
    })
}

/// What the owner's file is, and whether it is in the trash.
pub fn kind_and_state(
    conn: &mut Conn,
    owner: WorkspaceId,
    id: FileId,
) -> Result<Option<(FileType, FileState)>, Failure> {
    let found = files::table
        .filter(files::id.eq(id).and(files::workspace_id.eq(owner)))
        .select((files::kind, files::state))
        .first(conn)
        .optional()?;
    Ok(found)
}

/// The owner's file of this type and its current content, in one statement.
pub fn with_content(
    conn: &mut Conn,
    owner: WorkspaceId,
    id: FileId,
    kind: FileType,
) -> Result<Option<(File, String)>, Failure> {
    let current = versions::file_id.eq(files::id).and(versions::number.nullable().eq(files::current_version));
    let found = files::table
        .inner_join(versions::table.on(current))
        .filter(files::id.eq(id).and(files::workspace_id.eq(owner)).and(files::kind.eq(kind)))
        .select((File::as_select(), versions::content))
        .first(conn)
        .optional()?;
    Ok(found)
}
