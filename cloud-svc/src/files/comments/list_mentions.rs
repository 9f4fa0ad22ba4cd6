//! `GET /v1/mentions`: the comments that call the requesting agent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error};
use shared_runtime::{Answer, Caller, Context, Query, State};
use utoipa::ToSchema;

use super::{
    answers,
    comment::{CommentRecord, CommentStatus},
    list::ListComments,
    mentions,
};
use crate::base::{
    author::{Author, key},
    ids::{CommentId, PlanId},
    links::FileLinks,
    owner::Owner,
    permissions::ReadFiles,
};

/// Comments that call an agent by `@` and its id.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct MentionList {
    /// Newest first.
    #[schema(max_items = 100)]
    pub items: Vec<CommentRecord>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
    /// For each comment of this page, the name of its file: untrusted.
    #[schema(value_type = HashMap<String, String>)]
    pub file_names: BTreeMap<CommentId, String>,
    /// For each comment that plans answer, the newest ten of them, oldest first.
    #[schema(value_type = HashMap<String, Vec<PlanId>>)]
    pub answers: BTreeMap<CommentId, Vec<PlanId>>,
    /// Always true: the texts of comments do not come from the service.
    pub content_is_untrusted: bool,
}

// For a person the list is empty: people have no name that is known here before they write something.
pub async fn list(
    caller: Caller<ReadFiles>,
    Query(ListComments { status, page }): Query<ListComments>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<MentionList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let actor = key(&Author::from_identity(&caller)?.actor);
    let now = context.clock.now();
    let filters = format!("{actor} {}", status.map_or("", CommentStatus::as_str));
    let cursors = Cursor::for_list(&context.secret, "list_mentions", &owner.workspace().to_string(), &filters);
    let (after, rows) = (page.position(&cursors, now)?, page.rows());
    let found = context.read(move |conn| {
        let (found, has_more) = page.cut(mentions::of_actor(conn, owner, &actor, status, after, rows)?);
        let ids: Vec<CommentId> = found.iter().map(|(comment, _)| comment.id).collect();
        Ok((found, has_more, answers::of_comments(conn, &ids)?))
    });
    let (found, has_more, answers) = found.await?;
    let last = found.last().filter(|_| has_more);
    let next_cursor = last.map(|(last, _)| cursors.encode(&last.id.to_string(), now));
    let file_names = found.iter().map(|(comment, name)| (comment.id, name.clone())).collect();
    let items = found.into_iter().map(|(comment, _)| comment.record(&links)).collect();
    Ok(Answer::ok(&MentionList { items, next_cursor, has_more, file_names, answers, content_is_untrusted: true })?)
}
