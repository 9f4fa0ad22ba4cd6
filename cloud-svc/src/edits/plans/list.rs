//! `GET /v1/files/{file_id}/edit-plans`: lists the open plans for a file.

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error, Failure, code};
use shared_runtime::{Answer, Caller, Context, Path, Query, State, http::list::Page};
use utoipa::ToSchema;

use super::{
    open_plans::{listed, page_of},
    record::PlanRecord,
    store::{Authors, OpenPlans},
};
use crate::{
    base::{ids::FileId, links::FileLinks, owner::Owner, permissions::ReadFiles, plan_state::OPEN},
    files,
};

/// The open plans for a file.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct PlanList {
    /// Newest first, without their `changes`.
    #[schema(max_items = 100)]
    pub items: Vec<PlanRecord>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
    /// Always true: plans quote the content.
    pub content_is_untrusted: bool,
}

pub async fn list(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    Query(page): Query<Page>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<PlanList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let now = context.clock.now();
    let cursors = Cursor::for_list(&context.secret, "list_edit_plans", &owner.workspace().to_string(), &id.to_string());
    let start = page.start(&cursors, now)?;
    let wanted = OpenPlans {
        owner,
        file: Some(id),
        states: OPEN,
        authors: Authors::ALL,
        author_key: String::new(),
        co_author: String::new(),
        now,
    };
    let found = context.read(move |conn| {
        files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        Ok(page_of(conn, &wanted, &page, start)?)
    });
    let found = found.await?;
    let items = found.plans.into_iter().map(|(plan, preview, file)| listed(plan, &preview, &file, &links, now));
    let items = items.collect::<Result<Vec<_>, Failure>>()?;
    let next_cursor = found.next.map(|next| cursors.encode(&next.to_string(), now));
    let has_more = next_cursor.is_some();
    Ok(Answer::ok(&PlanList { items, next_cursor, has_more, content_is_untrusted: true })?)
}
