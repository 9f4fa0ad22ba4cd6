//! `GET /v1/changes/recent`: the latest changes, newest first.

use serde::Serialize;
use shared_model::{Cursor, Error};
use shared_runtime::{Answer, Caller, Context, Query, State, http::list::Page};
use utoipa::ToSchema;

use super::{item::ChangeItem, store};
use crate::base::{links::FileLinks, owner::Owner, permissions::ReadFiles};

/// A page of the latest changes.
#[derive(Serialize, ToSchema)]
pub struct RecentChangeList {
    /// Newest first.
    #[schema(max_items = 100)]
    pub items: Vec<ChangeItem>,
    /// The cursor of the next page, which is older; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
    /// Always true: names of files do not come from the service.
    pub content_is_untrusted: bool,
}

pub async fn read(
    caller: Caller<ReadFiles>,
    Query(page): Query<Page>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<RecentChangeList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let now = context.clock.now();
    let cursors = Cursor::for_list(&context.secret, "list_recent_changes", &owner.workspace().to_string(), "");
    let (before, rows) = (page.position::<i64>(&cursors, now)?, page.rows());
    let found = context.read(move |conn| {
        let (changes, stopped_at) = store::newest(conn, owner, before, rows)?;
        let files = store::files(conn, owner, &changes)?;
        Ok((changes, files, stopped_at))
    });
    let (changes, files, stopped_at) = found.await?;
    let (changes, is_cut) = page.cut(changes);
    let last = if is_cut { changes.last().map(|change| change.sequence) } else { stopped_at };
    let has_more = last.is_some();
    let next_cursor = last.map(|sequence| cursors.encode(&sequence.to_string(), now));
    let items = changes.into_iter().map(|change| {
        let file = change.file_id.and_then(|id| files.get(&id).cloned());
        ChangeItem::new(change, file.map(|file| links.record(file)))
    });
    let items = items.collect();
    Ok(Answer::ok(&RecentChangeList { items, next_cursor, has_more, content_is_untrusted: true })?)
}
