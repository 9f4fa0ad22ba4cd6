//! `POST /v1/files/{file_id}/comments/{comment_id}/edit`: replace the text of your own comment.

use shared_model::{Error, rule::NonEmptyText};
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{
    comment::{CommentAnswer, text_bytes},
    load_owned, mentions, store,
};
use crate::{
    base::{
        ids::{CommentId, FileId},
        permissions::ProposeEdits,
    },
    files::search_entries,
    workspace::{
        changes::{Change, ChangeType},
        command::Command,
    },
};

shared_model::json_object! {
    /// A new text of a comment.
    #[derive(Debug)]
    pub struct EditComment {
        /// The new text.
        pub text: String as NonEmptyText<5000>,
    }
    example = {"text": "Is that really so?"};
}

pub async fn edit(
    command: Command<ProposeEdits>,
    Path((file, id)): Path<(FileId, CommentId)>,
    if_match: IfMatch,
    Body(EditComment { text }): Body<EditComment>,
) -> Result<Answer<CommentAnswer>, Error> {
    command
        .run(move |conn, by| {
            let mut comment = load_owned::load_for_update(conn, by, (file, id), if_match)?;
            // The same text is not a change: neither the etag nor the feed shows one.
            if comment.text != text {
                let sequence = by.next_change(conn, text_bytes(&text) - text_bytes(&comment.text))?;
                let change = by.change(ChangeType::CommentUpdated, file);
                by.record(sequence, &Change { comment: Some(id), ..change });
                comment = store::set_text(conn, comment, &text, by.at)?;
                search_entries::write(by.workspace(), file, sequence, by.at);
                mentions::note(conn, by, &comment)?;
            }
            Ok(CommentAnswer::ok(comment, &by.links)?)
        })
        .await
}
