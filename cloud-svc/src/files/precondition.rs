//! Loads a file that the caller is about to change, and checks the state that the caller has seen.

use shared_model::{Error, Refusal, code};
use shared_runtime::{Conn, IfMatch};

use super::{
    file::{File, FileState},
    store,
};
use crate::{
    base::{codes, ids::FileId, links::FileLinks},
    workspace::{changes, command::ChangeContext},
};

/// The owner's file in this state, unchanged since the caller read it; otherwise 404, 409 or 412.
pub fn load_for_update(
    conn: &mut Conn,
    by: &ChangeContext,
    id: FileId,
    state: FileState,
    seen: IfMatch,
) -> Result<File, Error> {
    let file = store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
    // Before the etag: the caller of a file in the trash learns that, and not only that the tag is old.
    check_state(&file, state, &by.links)?;
    check_seen(conn, &file, seen, &by.links)?;
    Ok(file)
}

/// 409 unless the file is in this state.
pub fn check_state(file: &File, state: FileState, records: &FileLinks) -> Result<(), Refusal> {
    if file.state == state {
        return Ok(());
    }
    let code = match state {
        FileState::Active => &codes::FILE_TRASHED,
        FileState::Trashed => &codes::FILE_NOT_TRASHED,
    };
    Err(records.refresh(code, file))
}

/// 412 unless `seen` has the file's current etag; the message says what the last change was.
pub fn check_seen(conn: &mut Conn, file: &File, seen: IfMatch, records: &FileLinks) -> Result<(), Error> {
    let href = records.content_href(file.id, file.kind);
    let Err(refusal) = seen.require(records.etag(file), href) else { return Ok(()) };
    if !seen.may_be_stale() {
        return Err(refusal.into());
    }
    let refusal = match changes::find(conn, file.workspace_id, file.change_sequence)? {
        Some((kind, at)) => refusal
            .because(format!("The file has changed since you read it; its last change was {} at {at}.", kind.as_str())),
        None => refusal,
    };
    Err(refusal.into())
}
