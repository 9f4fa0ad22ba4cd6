//! `GET /v1/files/{file_id}/versions`: the versions of a file, newest first.

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error, code};
use shared_runtime::{Answer, Caller, Context, Path, Query, http::list::Page};
use utoipa::ToSchema;

use crate::{
    base::{ids::FileId, owner::Owner, permissions::ReadFiles},
    files::{
        self,
        version_store::{self, VersionRecord},
    },
};

#[derive(Serialize, Deserialize, ToSchema)]
pub struct VersionList {
    /// Newest first.
    #[schema(max_items = 100)]
    pub items: Vec<VersionRecord>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
}

// A folder has no versions; its list is empty.
pub async fn list(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    Query(page): Query<Page>,
    context: Context,
) -> Result<Answer<VersionList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let now = context.clock.now();
    let cursors = Cursor::for_list(&context.secret, "list_versions", &owner.workspace().to_string(), &id.to_string());
    let (after, rows) = (page.position(&cursors, now)?, page.rows());
    let found = context.read(move |conn| {
        files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        Ok(version_store::list(conn, id, after, rows)?)
    });
    let (items, has_more) = page.cut(found.await?);
    let next_cursor = items.last().filter(|_| has_more).map(|last| cursors.encode(&last.id.to_string(), now));
    Ok(Answer::ok(&VersionList { items, next_cursor, has_more })?)
}
