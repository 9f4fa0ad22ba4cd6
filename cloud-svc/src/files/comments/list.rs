//! `GET /v1/files/{file_id}/comments`: the comments on a file, newest first.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error, code};
use shared_runtime::{
    Answer, Caller, Context, FromQuery, Params, Path, Query, State,
    http::{contract::QueryParameter, list::Page},
};
use utoipa::ToSchema;

use super::{
    answers,
    comment::{CommentRecord, CommentStatus},
    create::has_anchors,
    store,
};
use crate::{
    base::{
        ids::{CommentId, FileId, PlanId},
        links::FileLinks,
        owner::Owner,
        permissions::ReadFiles,
    },
    files,
};

#[derive(Serialize, Deserialize, ToSchema)]
pub struct CommentList {
    /// Newest first.
    #[schema(max_items = 100)]
    pub items: Vec<CommentRecord>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
    /// Comments of this page about a place that the content no longer has.
    #[schema(max_items = 100)]
    pub orphaned: Vec<CommentId>,
    /// For each reply of this page, the comment that it replies to.
    #[schema(value_type = HashMap<String, CommentId>)]
    pub parents: BTreeMap<CommentId, CommentId>,
    /// For each comment of this page that plans answer, the newest ten of them, oldest first.
    #[schema(value_type = HashMap<String, Vec<PlanId>>)]
    pub answers: BTreeMap<CommentId, Vec<PlanId>>,
    /// Always true: the texts of comments do not come from the service.
    pub content_is_untrusted: bool,
}

#[derive(Debug)]
pub struct ListComments {
    pub status: Option<CommentStatus>,
    pub page: Page,
}

impl FromQuery for ListComments {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        let status = QueryParameter::one_of("status", CommentStatus::ALL, "Only open comments, or only resolved ones.");
        std::iter::once(status).chain(Page::describe()).collect()
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let status = params.one_of("status", CommentStatus::ALL);
        let page = Page::from_query(params);
        Some(Self { status: status?, page: page? })
    }
}

// Comments on a file in the trash can be read too.
pub async fn list(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    Query(ListComments { status, page }): Query<ListComments>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<CommentList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let now = context.clock.now();
    let filters = format!("{id} {}", status.map_or("", CommentStatus::as_str));
    let cursors = Cursor::for_list(&context.secret, "list_comments", &owner.workspace().to_string(), &filters);
    let (after, rows) = (page.position(&cursors, now)?, page.rows());
    let found = context.read(move |conn| {
        let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        let found = store::list(conn, id, status, after, rows)?;
        let anchored: Vec<_> = found.iter().filter(|comment| !comment.anchor.is_whole()).collect();
        // The content is read only if a comment is about a place in it.
        let orphaned: Vec<CommentId> = if anchored.is_empty() {
            Vec::new()
        } else {
            let anchors: Vec<_> = anchored.iter().map(|comment| &*comment.anchor).collect();
            let has = has_anchors(conn, &file, &anchors)?;
            anchored.iter().zip(has).filter(|(_, has)| !has).map(|(comment, _)| comment.id).collect()
        };
        let (found, has_more) = page.cut(found);
        let ids: Vec<CommentId> = found.iter().map(|comment| comment.id).collect();
        Ok((found, has_more, orphaned, answers::of_comments(conn, &ids)?))
    });
    let (found, has_more, mut orphaned, answers) = found.await?;
    let next_cursor = found.last().filter(|_| has_more).map(|last| cursors.encode(&last.id.to_string(), now));
    // The query also read the first comment of the next page; only ids of this page are answered.
    orphaned.retain(|id| found.iter().any(|comment| comment.id == *id));
    // Beside the records, which are closed.
    let parents = found.iter().filter_map(|comment| Some((comment.id, comment.parent_id?))).collect();
    let items = found.into_iter().map(|comment| comment.record(&links)).collect();
    Ok(Answer::ok(&CommentList {
        items,
        next_cursor,
        has_more,
        orphaned,
        parents,
        answers,
        content_is_untrusted: true,
    })?)
}
