//! `POST /v1/files/{file_id}/comments/{comment_id}/settle`: resolve or reopen anybody's comment.

use shared_model::Error;
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{
    comment::{CommentAnswer, CommentStatus},
    load_owned,
};
use crate::{
    base::{
        ids::{CommentId, FileId},
        permissions::WriteFiles,
    },
    workspace::{changes::ChangeType, command::Command},
};

shared_model::json_object! {
    /// The status that a comment gets.
    #[derive(Debug)]
    pub struct SettleComment {
        pub status: CommentStatus,
    }
    example = {"status": "resolved"};
}

// For those who may write the file: they close a question that is answered, also if another person asked it.
pub async fn settle(
    command: Command<WriteFiles>,
    Path((file, id)): Path<(FileId, CommentId)>,
    if_match: IfMatch,
    Body(SettleComment { status }): Body<SettleComment>,
) -> Result<Answer<CommentAnswer>, Error> {
    let kind = match status {
        CommentStatus::Open => ChangeType::CommentReopened,
        CommentStatus::Resolved => ChangeType::CommentResolved,
    };
    command
        .run(move |conn, by| {
            let comment = load_owned::load_any_for_update(conn, by, (file, id), if_match)?;
            let comment = load_owned::set_status(conn, by, comment, status, kind)?;
            Ok(CommentAnswer::ok(comment, &by.links)?)
        })
        .await
}
