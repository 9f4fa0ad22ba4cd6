//! `POST /v1/files/{file_id}/versions/{version_id}/restore`: make a new version with the content of an earlier one.

use shared_model::{Error, Failure, code};
use shared_runtime::{Answer, Body, Conn, IfMatch, Path};

use super::{
    add::{self, Next, Origin},
    risk,
};
use crate::{
    base::{
        codes,
        empty::Empty,
        ids::{FileId, VersionId},
        permissions::WriteFiles,
    },
    files::{
        self, authorship, comments,
        file::{File, FileAnswer, FileState},
        precondition, protection,
        version_content::KeptContent,
        version_store,
    },
    workspace::command::{ChangeContext, Command},
};
use cloud_content::{content::Content, of_kind};

pub async fn restore(
    command: Command<WriteFiles>,
    Path((id, version)): Path<(FileId, VersionId)>,
    if_match: IfMatch,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<FileAnswer>, Error> {
    command
        .run(move |conn, by| {
            let is_seen = |conn: &mut Conn, file: &File| precondition::check_etag(conn, file, if_match, &by.links);
            Ok(by.links.answer(bring_back(conn, by, (id, version), is_seen)?)?)
        })
        .await
}

/// Makes the content of an earlier version the current one; `is_seen` refuses another state of the file than the caller
/// knows.
pub fn bring_back(
    conn: &mut Conn,
    by: &ChangeContext,
    (id, version): (FileId, VersionId),
    is_seen: impl FnOnce(&mut Conn, &File) -> Result<(), Error>,
) -> Result<File, Error> {
    let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
    let (_, earlier) = version_store::find(conn, id, version)?.ok_or_else(code::not_found)?;
    let current = files::store::with_content(conn, by.owner(), id, file.kind)?;
    let (_, current) = current.ok_or_else(code::not_found)?;
    precondition::check_state(&file, FileState::Active, &by.links)?;
    let gone = of_kind!(file.kind, C => {
        let earlier: C = serde_json::from_str(&earlier.content).map_err(Failure::from)?;
        changeable::<C>(&current.content)?.gone_part_ids(&earlier).into_iter().cloned().collect::<Vec<_>>()
    });
    // After the check above: a read-only workbook is refused even with a stale etag.
    is_seen(conn, &file)?;
    let is_risky = |conn: &mut Conn| risk::is_risky(conn, &file, &current.content, &earlier.content);
    by.check_direct(conn, is_risky, "Propose the content as a plan, and ask for its review.")?;
    let content = KeptContent::load(conn, earlier)?;
    let gone = gone.unwrap_or_default();
    // What comes back is by those who wrote it, and not by the one who brings it back.
    let authorship = authorship::kept::restored(conn, file.kind, version)?;
    let next = Next {
        content: (&content).into(),
        gone: &gone,
        origin: Origin::Version(version),
        authorship: authorship.as_deref(),
        edited_by: None,
        freed_bytes: 0,
    };
    // Taken before `add`, which makes another version the current one.
    let until = file.current_version_id;
    let file = add::add(conn, by, file, next)?;
    if let Some(until) = until {
        comments::moved_anchors::return_to(conn, by, id, version, until)?;
        protection::moved::return_to(conn, id, version, until)?;
    }
    Ok(file)
}

/// The present content; 409 if it cannot be changed.
pub fn changeable<C: Content>(current: &str) -> Result<C, Error> {
    if C::is_read_only(current) == Some(true) {
        return Err(codes::WORKBOOK_READ_ONLY.refusal().into());
    }
    Ok(serde_json::from_str(current).map_err(Failure::from)?)
}
