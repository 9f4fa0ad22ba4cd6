//! `GET /v1/spreadsheets/{file_id}/sheets`: what there is in a workbook, without the cells.

use serde::Serialize;
use shared_model::Error;
use shared_runtime::{Answer, Caller, Context, IfNoneMatch, Path, State};
use utoipa::ToSchema;

use super::{outline::SheetOutline, stored};
use crate::{
    files::file::{FileRecord, FileRecords},
    ids::{FileId, WorkspaceId},
    permissions::ReadFiles,
};

/// The sheets of a workbook.
#[derive(Serialize, ToSchema)]
pub struct SheetList<'a> {
    /// The file's record.
    pub file: FileRecord,
    /// The sheets in their order.
    #[schema(min_items = 1, max_items = 10)]
    pub sheets: Vec<SheetOutline<'a>>,
    /// Always true: names are text of whoever gave them.
    pub content_is_untrusted: bool,
}

/// Lists the sheets.
pub async fn list_sheets(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    seen: IfNoneMatch,
    context: Context,
    State(records): State<FileRecords>,
) -> Result<Answer<SheetList<'static>>, Error> {
    let owner = WorkspaceId::of(&caller)?;
    let (file, content) = context.read(move |conn| stored::find(conn, owner, id)).await?;
    let file = records.record(file);
    let etag = file.etag;
    if seen.has(etag) {
        return Ok(Answer::not_modified(etag));
    }
    let list = SheetList { file, sheets: content.outline(), content_is_untrusted: true };
    Ok(Answer::of(&list)?.etag(etag))
}
