//! `POST /v1/files/{file_id}/comments/{comment_id}/delete`: delete your own comment.

use shared_model::Error;
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{comment::text_bytes, load_owned, moved_anchors, store};
use crate::{
    base::{
        empty::{Done, Empty},
        ids::{CommentId, FileId},
        permissions::ProposeEdits,
    },
    files::search_entries,
    workspace::{
        changes::{Change, ChangeType},
        command::Command,
    },
};

pub async fn delete(
    command: Command<ProposeEdits>,
    Path((file, id)): Path<(FileId, CommentId)>,
    if_match: IfMatch,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<Done>, Error> {
    command
        .run(move |conn, by| {
            let comment = load_owned::load_for_update(conn, by, (file, id), if_match)?;
            let bytes = text_bytes(&comment.text) + moved_anchors::bytes(conn, id)?;
            let sequence = by.next_change(conn, -bytes)?;
            by.record(sequence, &Change { comment: Some(id), ..by.change(ChangeType::CommentDeleted, file) });
            store::delete(conn, id)?;
            search_entries::write(by.workspace(), file, sequence, by.at);
            Ok(Answer::ok(&Done {})?)
        })
        .await
}
