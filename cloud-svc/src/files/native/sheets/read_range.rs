//! `GET /v1/spreadsheets/{file_id}/range`: some cells of a sheet, each with its address.

use serde::Serialize;
use shared_model::Error;
use shared_runtime::{
    Answer, Caller, Context, FromQuery, IfNoneMatch, Params, Path, Query, State, http::contract::QueryParameter,
};
use utoipa::ToSchema;

use super::stored;
use crate::{
    base::{ids::FileId, links::FileLinks, owner::Owner, permissions::ReadFiles},
    files::file::FileRecord,
};
use cloud_content::{
    hidden_text::{ContentWarning, content_warnings_at},
    name_key::name_key,
    passage::Place,
    spreadsheets::{
        a1::{
            range::{Bounded, CellRange},
            sent::split_sheet,
        },
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
        let sheet = "The exact name of a sheet. It may be absent if the range names it.";
        let computed = "`true` adds the value of each cell as `computed`.";
        vec![
            QueryParameter::text("sheet", false, sheet).example("Budget"),
            QueryParameter::typed::<Bounded>("range", true, range),
            QueryParameter::one_of("computed", stored::FLAGS, computed),
        ]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let (named, range) = split_sheet(params.text("range")?);
        let (sheet, range) = (params.text("sheet").map(str::to_owned), CellRange::bounded(range));
        let sheet = match (sheet, named) {
            (Some(sheet), Some(named)) if name_key(&sheet) != name_key(&named) => {
                params.refuse("range", "must be on the sheet that the parameter \"sheet\" names")
            }
            (Some(sheet), _) | (None, Some(sheet)) => Some(sheet),
            (None, None) => params.refuse("sheet", "must be sent, unless the range names the sheet: Budget!A1:B2"),
        };
        let range = range.map_or_else(|rule| params.refuse("range", rule), Some);
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
    let owner = Owner::of_caller(&caller)?;
    let (name, own) = (sheet.clone(), links);
    // Values are computed here, where nothing but this caller waits for them.
    let read = context.read(move |conn| {
        let (file, content) = stored::find(conn, owner, id, &own)?;
        let file = own.record(file);
        if if_none_match.has(file.etag) {
            return Ok(Err(file.etag));
        }
        let computed = if computed { Some(values(&content, &name, range)?) } else { None };
        Ok(Ok((file, content, computed)))
    });
    let (file, content, computed) = match read.await? {
        Ok(read) => read,
        Err(etag) => return Ok(Answer::not_modified(etag)),
    };
    let etag = file.etag;
    let (_, of) = stored::sheet(&content, &sheet)?;
    let is_shown = |place: Place<'_>| {
        let Place::Cell { sheet, row, column } = place else { return false };
        sheet == of.name && range.rows().contains(&row) && range.columns().contains(&column)
    };
    let content_warnings = content_warnings_at(&content, is_shown);
    let range = SheetRange::of(of, range);
    let range = if let Some(computed) = computed { range.with_computed(computed) } else { range };
    Ok(Answer::from_view(&RangeAnswer { file, range, content_is_untrusted: true, content_warnings })?.etag(etag))
}

fn values(content: &SpreadsheetContent, sheet: &str, range: CellRange) -> Result<Vec<Vec<Computed>>, Error> {
    let (index, _) = stored::sheet(content, sheet)?;
    let computed = range::computed(content, index, range)?;
    let texts = computed.iter().flatten().filter_map(|computed| computed.value.as_ref()?.as_str());
    stored::check_length(texts.map(str::len).sum())?;
    Ok(computed)
}
