//! Loads a comment that its author is about to change.

use shared_model::{Error, code};
use shared_runtime::{Conn, IfMatch};

use super::{
    comment::{Comment, CommentStatus},
    store,
};
use crate::{
    base::{
        codes,
        ids::{CommentId, FileId},
    },
    files::{self, file::FileState, precondition},
    workspace::{
        changes::{Change, ChangeType},
        command::ChangeContext,
    },
};

/// The caller's own comment in the state that the caller has seen; otherwise 404, 403, 409 or 412.
pub fn load_for_update(
    conn: &mut Conn,
    by: &ChangeContext,
    (file, id): (FileId, CommentId),
    if_match: IfMatch,
) -> Result<Comment, Error> {
    let is_own = |comment: &Comment| by.author.is(&comment.actor);
    load(conn, by, (file, id), if_match, is_own)
}

/// Any comment in the state that the caller has seen; otherwise 404, 409 or 412.
pub fn load_any_for_update(
    conn: &mut Conn,
    by: &ChangeContext,
    ids: (FileId, CommentId),
    if_match: IfMatch,
) -> Result<Comment, Error> {
    load(conn, by, ids, if_match, |_| true)
}

fn load(
    conn: &mut Conn,
    by: &ChangeContext,
    (file, id): (FileId, CommentId),
    if_match: IfMatch,
    may_change: impl Fn(&Comment) -> bool,
) -> Result<Comment, Error> {
    let file = files::store::find(conn, by.owner(), file)?.ok_or_else(code::not_found)?;
    let comment = store::find(conn, file.id, id)?.ok_or_else(code::not_found)?;
    if !may_change(&comment) {
        return Err(codes::NOT_COMMENT_AUTHOR.refusal().into());
    }
    precondition::check_state(&file, FileState::Active, &by.links)?;
    if_match.require(comment.etag(&by.links), format!("{}/comments", by.links.href(file.id)))?;
    Ok(comment)
}

// A comment that already has the status stays as it is: no change is recorded.
pub fn set_status(
    conn: &mut Conn,
    by: &ChangeContext,
    comment: Comment,
    status: CommentStatus,
    kind: ChangeType,
) -> Result<Comment, Error> {
    if comment.status == status {
        return Ok(comment);
    }
    let sequence = by.next_change(conn, 0)?;
    by.record(sequence, &Change { comment: Some(comment.id), ..by.change(kind, comment.file_id) });
    Ok(store::set_status(conn, comment, status, by.at)?)
}
