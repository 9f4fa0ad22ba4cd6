//! `GET /v1/spreadsheets/{file_id}/sheets`: the sheets of a workbook, without the cells.

use std::sync::Arc;

use serde::Serialize;
use shared_model::Error;
use shared_runtime::{Answer, Caller, Context, IfNoneMatch, Path, State};
use utoipa::ToSchema;

use super::stored;
use crate::{
    base::{ids::FileId, links::FileLinks, owner::Owner, permissions::ReadFiles},
    files::file::FileRecord,
};
use cloud_content::spreadsheets::outline::SheetOutline;

/// The sheets of a workbook.
#[derive(Serialize, ToSchema)]
pub struct SheetList<'a> {
    pub file: FileRecord,
    /// In the order of the workbook.
    #[schema(min_items = 1, max_items = 10)]
    pub sheets: Vec<SheetOutline<'a>>,
    /// Always true: names do not come from the service.
    pub content_is_untrusted: bool,
}

pub async fn list_sheets(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    if_none_match: IfNoneMatch,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<SheetList<'static>>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let own = Arc::clone(&links);
    let (file, content) = context.read(move |conn| stored::find(conn, owner, id, &own)).await?;
    let file = links.record(file);
    let etag = file.etag;
    if if_none_match.has(etag) {
        return Ok(Answer::not_modified(etag));
    }
    let list = SheetList { file, sheets: content.outline(), content_is_untrusted: true };
    Ok(Answer::from_view(&list)?.etag(etag))
}
