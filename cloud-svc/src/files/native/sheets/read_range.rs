//! `GET /v1/spreadsheets/{file_id}/range`: some cells of a sheet, each with its address.

use std::collections::HashSet;

use serde::Serialize;
use shared_model::Error;
use shared_runtime::{
    Answer, Caller, Context, FromQuery, IfNoneMatch, Params, Path, Query, State, http::contract::QueryParameter,
};
use utoipa::ToSchema;

use super::stored;
use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        links::FileLinks,
        permissions::ReadFiles,
    },
    files::file::FileRecord,
};
use cloud_content::{
    hidden_text::{ContentWarning, content_warnings},
    spreadsheets::{
        a1::range::CellRange,
        compute::Computed,
        content::SpreadsheetContent,
        range::{self, SheetRange},
    },
};

/// Some cells of a sheet.
#[derive(Serialize, ToSchema)]
pub struct RangeAnswer<'a> {
    pub file: FileRecord,
    pub range: SheetRange<'a>,
    /// Always true: the texts of cells do not come from the service.
    pub content_is_untrusted: bool,
    /// What readers should know about these cells; absent if nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, max_items = 100)]
    pub content_warnings: Vec<ContentWarning>,
}

#[derive(Debug)]
pub struct ReadRange {
    sheet: String,
    range: CellRange,
    computed: bool,
}

impl FromQuery for ReadRange {
    fn describe() -> Vec<QueryParameter> {
        let range = "At most 1000 cells (`sheet_range_cells`): the addresses of two corners, or of one cell.";
        let computed = "`true` adds the value of each cell as `computed`.";
        let computed = QueryParameter::one_of("computed", stored::FLAGS, computed);
        vec![stored::sheet_parameter(), QueryParameter::typed::<CellRange>("range", true, range), computed]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let sheet = params.text("sheet").map(str::to_owned);
        let range = match params.text("range").map(CellRange::bounded) {
            Some(Err(rule)) => params.refuse("range", rule),
            range => range.and_then(Result::ok),
        };
        let computed = params.one_of("computed", stored::FLAGS);
        Some(Self { sheet: sheet?, range: range?, computed: computed?.unwrap_or(false) })
    }
}

// Cells beyond the last row or column are answered as empty ones.
pub async fn read_range(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    Query(ReadRange { sheet, range, computed }): Query<ReadRange>,
    if_none_match: IfNoneMatch,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<RangeAnswer<'static>>, Error> {
    let owner = WorkspaceId::from_identity(&caller)?;
    let name = sheet.clone();
    // Values are computed here, where nothing but this caller waits for them.
    let read = context.read(move |conn| {
        let (file, content) = stored::find(conn, owner, id)?;
        let computed = if computed { Some(values(&content, &name, range)?) } else { None };
        Ok((file, content, computed))
    });
    let (file, content, computed) = read.await?;
    let file = links.record(file);
    let etag = file.etag;
    if if_none_match.has(etag) {
        return Ok(Answer::not_modified(etag));
    }
    let (_, of) = stored::sheet(&content, &sheet)?;
    let range = SheetRange::of(of, range);
    let range = if let Some(computed) = computed { range.with_computed(computed) } else { range };
    let shown: HashSet<String> = range.rows.iter().flatten().map(|cell| format!("{sheet}!{}", cell.cell)).collect();
    let mut content_warnings = content_warnings(&content);
    content_warnings.retain(|warning| shown.contains(&warning.block_id));
    Ok(Answer::from_view(&RangeAnswer { file, range, content_is_untrusted: true, content_warnings })?.etag(etag))
}

fn values(content: &SpreadsheetContent, sheet: &str, range: CellRange) -> Result<Vec<Vec<Computed>>, Error> {
    let (index, _) = stored::sheet(content, sheet)?;
    let computed = range::computed(content, index, range)?;
    let texts = computed.iter().flatten().filter_map(|computed| computed.value.as_ref()?.as_str());
    stored::check_length(texts.map(str::len).sum())?;
    Ok(computed)
}
