//! `POST /v1/files/{file_id}/comments/{comment_id}/resolve`: resolve your own comment.

use shared_model::Error;
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{
    comment::{CommentAnswer, CommentStatus},
    load_owned,
};
use crate::{
    base::{
        empty::Empty,
        ids::{CommentId, FileId},
        permissions::ProposeEdits,
    },
    workspace::{changes::ChangeType, command::Command},
};

pub async fn resolve(
    command: Command<ProposeEdits>,
    Path((file, id)): Path<(FileId, CommentId)>,
    if_match: IfMatch,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<CommentAnswer>, Error> {
    command
        .run(move |conn, by| {
            let comment = load_owned::load_for_update(conn, by, (file, id), if_match)?;
            let comment =
                load_owned::set_status(conn, by, comment, CommentStatus::Resolved, ChangeType::CommentResolved)?;
            Ok(CommentAnswer::ok(comment, &by.links)?)
        })
        .await
}
