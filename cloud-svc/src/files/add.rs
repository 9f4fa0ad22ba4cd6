//! Adding a file or a folder: what every operation that makes one does in its transaction.

use shared_model::{Error, Name};
use shared_runtime::Conn;

use super::{
    file::{File, FileType},
    store::{self, NewFile},
    tree::{self, Put},
};
use crate::{
    changes::{Change, ChangeType},
    codes,
    command::By,
    ids::FileId,
    versions::{self, content::VersionContent, store::NewVersion},
    workspaces::link_domains,
};

/// What is added.
#[derive(Clone, Copy, Debug)]
pub struct Addition<'a> {
    /// The folder that it is put into; none: at the top.
    pub parent_id: Option<FileId>,
    /// Its name.
    pub name: &'a Name,
    /// What it is.
    pub kind: FileType,
    /// What it says; a folder says nothing.
    pub content: Option<VersionContent<'a>>,
    /// Whether no other file of the folder may have its name.
    pub must_be_new: bool,
}

/// Adds a file with its first version, or a folder.
pub fn add(conn: &mut Conn, by: &By, new: Addition<'_>) -> Result<File, Error> {
    add_as(conn, by, new, ChangeType::FileCreated)
}

/// The same, under another name among the changes of the workspace.
pub fn add_as(conn: &mut Conn, by: &By, new: Addition<'_>, change: ChangeType) -> Result<File, Error> {
    let Addition { parent_id, name, kind, content, must_be_new } = new;
    let owner = by.owner();
    tree::check_place(conn, owner, parent_id, Put::New(kind))?;
    if must_be_new && store::has_name(conn, owner, parent_id, name, None)? {
        return Err(codes::NAME_EXISTS.refusal().into());
    }
    let change_sequence = by.next_change(conn, content.map_or(0, VersionContent::bytes))?;
    let file = store::insert(conn, owner, NewFile { parent_id, name, kind, change_sequence, at: by.at })?;
    let version = match content {
        Some(content) => {
            let number = versions::FIRST;
            link_domains::insert(conn, owner, content.link_domains())?;
            let first = NewVersion { file: file.id, number, content, plan: None, restored_from: None, at: by.at };
            Some(versions::store::insert(conn, &by.author, first)?)
        }
        None => None,
    };
    by.record(conn, change_sequence, &Change { version, ..by.change(change, file.id) })?;
    Ok(File { current_version_id: version, ..file })
}
