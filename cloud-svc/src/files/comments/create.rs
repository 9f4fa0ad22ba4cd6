//! `POST /v1/files/{file_id}/comments`: comment on a file, or on a place in it.

use shared_model::{Error, Failure, Refusal, code, rule::NonEmptyText};
use shared_runtime::{Answer, Body, Conn, Path};

use super::{
    comment::{Comment, CommentAnswer, text_bytes},
    mentions, store,
};
use crate::{
    base::{
        codes,
        ids::{CommentId, FileId},
        owner::Owner,
        permissions::ProposeEdits,
    },
    files::{
        self,
        file::{File, FileState},
        precondition, search_entries,
    },
    workspace::{
        changes::{Change, ChangeType},
        command::Command,
    },
};
use cloud_content::{anchor::Anchor, content::Content, of_kind};

shared_model::json_object! {
    /// A comment to create.
    #[derive(Debug)]
    pub struct CreateComment {
        pub text: String as NonEmptyText<5000>,
        /// The place that the comment is about; absent for the file as a whole.
        pub anchor: Option<Anchor>,
        /// The comment that this one replies to. A reply has no `anchor`, and no replies of its own.
        pub parent_comment_id: Option<CommentId>,
    }
    example = {"text": "Is that so?", "anchor": {"block_id": "title"}};
}

pub async fn create(
    command: Command<ProposeEdits>,
    Path((id,)): Path<(FileId,)>,
    Body(CreateComment { text, anchor, parent_comment_id }): Body<CreateComment>,
) -> Result<Answer<CommentAnswer>, Error> {
    let anchor = anchor.unwrap_or_default();
    command
        .run(move |conn, by| {
            let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            precondition::check_state(&file, FileState::Active, &by.links)?;
            check_anchor(conn, &file, &anchor)?;
            check_parent(conn, id, &anchor, parent_comment_id)?;
            let sequence = by.next_change(conn, text_bytes(&text))?;
            let comment = store::insert(conn, by, id, (&text, &anchor), parent_comment_id)?;
            search_entries::write(by.workspace(), id, sequence, by.at);
            let change = by.change(ChangeType::CommentCreated, id);
            by.record(sequence, &Change { comment: Some(comment.id), ..change });
            mentions::note(conn, by, &comment)?;
            Ok(CommentAnswer::ok(comment, &by.links)?)
        })
        .await
}

/// 422 unless the current content has this place.
fn check_anchor(conn: &mut Conn, file: &File, anchor: &Anchor) -> Result<(), Error> {
    if anchor.is_whole() || has_anchors(conn, file, &[anchor])? == [true] {
        return Ok(());
    }
    let rule = "must be a place of the file's current content";
    Err(Refusal::problems(
        &codes::ANCHOR_NOT_FOUND,
        vec![shared_model::Problem { at: "/anchor".to_owned(), rule: rule.to_owned() }],
    )
    .into())
}

/// 422 unless the parent is a comment on this file that is not a reply.
fn check_parent(conn: &mut Conn, file: FileId, anchor: &Anchor, parent: Option<CommentId>) -> Result<(), Error> {
    let Some(parent) = parent else { return Ok(()) };
    let found = store::find(conn, file, parent)?;
    let (at, rule) = match found {
        None => ("/parent_comment_id", "must be a comment on this file"),
        Some(Comment { parent_id: Some(_), .. }) => ("/parent_comment_id", "must be a comment that is not a reply"),
        Some(_) if !anchor.is_whole() => ("/anchor", "must be absent in a reply"),
        Some(_) => return Ok(()),
    };
    let problem = shared_model::Problem { at: at.to_owned(), rule: rule.to_owned() };
    Err(Refusal::problems(&code::INVALID_FIELD, vec![problem]).into())
}

/// For each place, whether the current content of the file has it.
pub fn has_anchors(conn: &mut Conn, file: &File, anchors: &[&Anchor]) -> Result<Vec<bool>, Failure> {
    let Some((_, stored)) =
        files::store::with_content(conn, Owner::without_limits(file.workspace_id), file.id, file.kind)?
    else {
        return Ok(vec![false; anchors.len()]);
    };
    let has = of_kind!(file.kind, C => {
        let content: C = serde_json::from_str(&stored.content)?;
        anchors.iter().map(|anchor| content.has_anchor(anchor)).collect()
    });
    // Folders and uploaded files have no places.
    Ok(has.unwrap_or_else(|| vec![false; anchors.len()]))
}
