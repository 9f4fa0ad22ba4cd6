//! Loads a file that the caller is about to change, and checks the state that the caller has seen.

use shared_model::{Error, Refusal, code, refusal::NextStep};
use shared_runtime::{Conn, IfMatch};

use super::{
    file::{File, FileState},
    store,
};
use crate::{
    base::{codes, ids::FileId, links::FileLinks},
    workspace::{changes, command::ChangeContext, limits},
};
use cloud_content::file_type::FileType;

/// The first words of the refusal of a step on a file that has changed.
// Pages recognize it and use their own words.
pub const CHANGED: &str = "The file has changed since you read it";

/// The owner's file in this state, unchanged since the caller read it; otherwise 404, 409 or 412.
pub fn load_for_update(
    conn: &mut Conn,
    by: &ChangeContext,
    id: FileId,
    state: FileState,
    if_match: IfMatch,
) -> Result<File, Error> {
    let file = store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
    check_limits(conn, by, &file)?;
    // Before the etag: the caller of a file in the trash learns that, and not only that the tag is old.
    check_state(&file, state, &by.links)?;
    check_etag(conn, &file, if_match, &by.links)?;
    Ok(file)
}

/// 403 if an agent would change a folder that reaches beyond what it sees. Such a folder is one of its limits. Or it is
/// any, if the agent does not see all types of files.
fn check_limits(conn: &mut Conn, by: &ChangeContext, file: &File) -> Result<(), Error> {
    if file.kind != FileType::Folder || by.owner().agent().is_none() {
        return Ok(());
    }
    if limits::of(conn, by.owner())?.is_of_types || limits::roots(conn, by.owner())?.contains(&file.id) {
        let message = "The limits of this agent do not let it change this folder, but files in it.";
        return Err(codes::AGENT_LIMITED.because(message).into());
    }
    Ok(())
}

/// [`load_for_update`] for an active file that the body names by `file_id`. The URL is right, so the 404 names the
/// member.
pub fn load_target_for_update(
    conn: &mut Conn,
    by: &ChangeContext,
    file_id: FileId,
    if_match: IfMatch,
) -> Result<File, Error> {
    let step = NextStep::CorrectOne("/file_id", "must be the id of a file that you can see");
    let loaded = load_for_update(conn, by, file_id, FileState::Active, if_match);
    loaded.map_err(|error| not_found_at(error, step, "There is no such file."))
}

/// A 404 that blames what a request names beside its URL, with this step and message. Other errors stay as they are.
pub fn not_found_at(error: Error, step: NextStep, message: &'static str) -> Error {
    match error {
        Error::Refused(refusal) if refusal.code == &code::NOT_FOUND => refusal.because(message).step(step).into(),
        error => error,
    }
}

/// 409 unless the file is in this state.
pub fn check_state(file: &File, state: FileState, links: &FileLinks) -> Result<(), Refusal> {
    if file.state == state {
        return Ok(());
    }
    let code = match state {
        FileState::Active => &codes::FILE_TRASHED,
        FileState::Trashed => &codes::FILE_NOT_TRASHED,
    };
    Err(links.refresh(code, file))
}

/// 412 unless `seen` has the file's current etag; the message says what the last change was.
pub fn check_etag(conn: &mut Conn, file: &File, if_match: IfMatch, links: &FileLinks) -> Result<(), Error> {
    let href = links.content_href(file.id, file.kind);
    let Err(refusal) = if_match.require(links.etag(file), href) else { return Ok(()) };
    if !if_match.may_be_stale() {
        return Err(refusal.into());
    }
    let refusal = match changes::find(conn, file.workspace_id, file.change_sequence)? {
        Some((kind, at)) => refusal.because(format!("{CHANGED}; its last change was {} at {at}.", kind.as_str())),
        None => refusal,
    };
    Err(refusal.into())
}
