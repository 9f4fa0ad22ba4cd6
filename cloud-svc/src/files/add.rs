//! Adds a file or a folder. All operations that create one use this in their transactions.

use crate::files::version_store;
use shared_model::{Error, Name};
use shared_runtime::Conn;

use super::{
    file::File,
    store::{self, NewFile},
    tree::{self, Put},
};
use crate::{
    base::{codes, ids::FileId},
    files::{version_content::VersionContent, version_store::NewVersion},
    workspace::{
        changes::{Change, ChangeType},
        command::ChangeContext,
        limits, link_domains,
    },
};
use cloud_content::file_type::FileType;

#[derive(Clone, Copy, Debug)]
pub struct Addition<'a> {
    /// `None` at the top.
    pub parent_id: Option<FileId>,
    pub name: &'a Name,
    pub kind: FileType,
    /// `None` for a folder.
    pub content: Option<VersionContent<'a>>,
    /// Refuses a name that another file of the folder has.
    pub must_be_new: bool,
}

pub fn add(conn: &mut Conn, by: &ChangeContext, new: Addition<'_>) -> Result<File, Error> {
    add_as(conn, by, new, ChangeType::FileCreated)
}

/// Adds a file with its first version, or a folder. `change` is the kind that the log of changes shows.
pub fn add_as(conn: &mut Conn, by: &ChangeContext, new: Addition<'_>, change: ChangeType) -> Result<File, Error> {
    let Addition { parent_id, name, kind, content, must_be_new } = new;
    let owner = by.owner();
    limits::check_kind(conn, owner, kind)?;
    tree::check_place(conn, owner, parent_id, Put::New(kind))?;
    if must_be_new && store::has_name(conn, owner, parent_id, name, None)? {
        return Err(codes::NAME_EXISTS.refusal().into());
    }
    let change_sequence = by.next_change(conn, content.map_or(0, VersionContent::bytes))?;
    let file = store::insert(conn, owner, NewFile { parent_id, name, kind, change_sequence, at: by.at })?;
    let version = match content {
        Some(content) => {
            let number = version_store::FIRST;
            if by.vouches_for_links() {
                link_domains::insert(conn, owner.workspace(), content.link_domains())?;
            }
            // Every part of a first version is its own, also in a copy: the person who copies answers for the content.
            let (authorship, edited_by) = (None, None);
            let (plan, restored_from, at) = (None, None, by.at);
            let first = NewVersion { file: file.id, number, content, plan, restored_from, authorship, edited_by, at };
            version_store::insert(conn, &by.author, &[first])?.pop()
        }
        None => None,
    };
    by.record(change_sequence, &Change { version, ..by.change(change, file.id) });
    Ok(File { current_version_id: version, ..file })
}
