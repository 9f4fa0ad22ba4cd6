//! Where files rest. Every query takes the owning workspace first: a foreign file is no file.

use diesel::prelude::*;
use shared_model::{Error, Name, NextAction, Problem, Refusal, Timestamp, code};
use shared_runtime::Conn;

use super::{File, FileState, FileType, name_key};
use crate::{
    codes,
    ids::{FileId, WorkspaceId},
    schema::{files, versions},
    versions::{self as content_versions, CanonicalContent},
    workspaces,
};

/// A file with content that is about to be.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// The folder it shall be in.
    pub parent_id: Option<FileId>,
    /// Its name.
    pub name: Name,
    /// What it is; not a folder.
    pub kind: FileType,
    /// The content of its first version.
    pub content: CanonicalContent,
    /// Who creates it: the actor as JSON text.
    pub created_by: String,
    /// When.
    pub at: Timestamp,
}

/// Creates a file and its first version: parent 404 and 409, then quota 413. Names need not be unique in a folder.
pub fn create(conn: &mut Conn, owner: WorkspaceId, new: &NewFile) -> Result<File, Error> {
    if let Some(parent) = new.parent_id {
        require_active_folder(conn, owner, parent)?;
    }
    let sequence = workspaces::store::change(conn, owner, new.content.bytes())?;
    let id: FileId = diesel::insert_into(files::table)
        .values((
            files::workspace_id.eq(owner),
            files::parent_id.eq(new.parent_id),
            files::name.eq(new.name.as_str()),
            files::name_key.eq(name_key(new.name.as_str())),
            files::kind.eq(new.kind),
            files::state.eq(FileState::Active),
            files::current_version.eq(content_versions::store::FIRST),
            files::meta_revision.eq(1),
            files::change_sequence.eq(sequence),
            files::created_at.eq(new.at),
            files::updated_at.eq(new.at),
        ))
        .returning(files::id)
        .get_result(conn)?;
    let number = content_versions::store::FIRST;
    let version = content_versions::store::insert(conn, id, number, &new.content, &new.created_by, new.at)?;
    Ok(File {
        id,
        workspace_id: owner,
        parent_id: new.parent_id,
        name: new.name.as_str().to_owned(),
        kind: new.kind,
        current_version_id: Some(version),
        meta_revision: 1,
        state: FileState::Active,
        created_at: new.at,
        updated_at: new.at,
    })
}

/// 404 unless the owner has it, 409 unless it is a folder that is not in the trash.
fn require_active_folder(conn: &mut Conn, owner: WorkspaceId, id: FileId) -> Result<(), Error> {
    let parent: Option<(FileType, FileState)> = files::table
        .filter(files::id.eq(id).and(files::workspace_id.eq(owner)))
        .select((files::kind, files::state))
        .first(conn)
        .optional()?;
    match parent {
        None => Err(another_parent(code::not_found().because("There is no such parent folder."))),
        Some((FileType::Folder, FileState::Active)) => Ok(()),
        Some((FileType::Folder, FileState::Trashed)) => Err(another_parent(codes::PARENT_TRASHED.refusal())),
        Some(_) => Err(another_parent(codes::PARENT_NOT_FOLDER.refusal())),
    }
}

fn another_parent(refusal: Refusal) -> Error {
    let problem = Problem { at: "/parent_id".to_owned(), rule: "must be an active folder of the workspace".to_owned() };
    refusal.next(NextAction::CorrectRequest { problems: vec![problem] }).into()
}

/// The owner's file of this type and its current content, in one statement.
pub fn with_content(
    conn: &mut Conn,
    owner: WorkspaceId,
    id: FileId,
    kind: FileType,
) -> QueryResult<Option<(File, String)>> {
    let current = versions::file_id.eq(files::id).and(versions::number.nullable().eq(files::current_version));
    files::table
        .inner_join(versions::table.on(current))
        .filter(files::id.eq(id).and(files::workspace_id.eq(owner)).and(files::kind.eq(kind)))
        .select((
            (
                files::id,
                files::workspace_id,
                files::parent_id,
                files::name,
                files::kind,
                versions::id.nullable(),
                files::meta_revision,
                files::state,
                files::created_at,
                files::updated_at,
            ),
            versions::content,
        ))
        .first(conn)
        .optional()
}
