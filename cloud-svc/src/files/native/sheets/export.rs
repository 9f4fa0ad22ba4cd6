//! `GET /v1/spreadsheets/{file_id}/export`: a sheet as comma-separated values.

use shared_model::{Error, openapi_schema};
use shared_runtime::{
    Caller, Context, FromQuery, Params, Path, Query,
    http::{
        contract::QueryParameter,
        reply::{MediaType, Plain},
    },
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::stored;
use crate::base::{
    ids::{FileId, WorkspaceId},
    permissions::ReadFiles,
};
use cloud_content::spreadsheets::csv;

pub struct CsvText;

impl MediaType for CsvText {
    const MEDIA_TYPE: &'static str = "text/csv; charset=utf-8";
}

impl PartialSchema for CsvText {
    fn schema() -> RefOr<Schema> {
        openapi_schema::string(&["Comma-separated values (RFC 4180)."]).examples(["Item,Cost\r\nRent,900\r\n"]).into()
    }
}

impl ToSchema for CsvText {}

#[derive(Debug)]
pub struct ExportSheet {
    sheet: String,
    raw: bool,
    computed: bool,
}

const FORMATS: &[(&str, ())] = &[("csv", ())];

impl FromQuery for ExportSheet {
    fn describe() -> Vec<QueryParameter> {
        vec![
            QueryParameter::one_of("format", FORMATS, "The format; `csv` when absent."),
            stored::sheet_parameter(),
            QueryParameter::one_of(
                "raw",
                stored::FLAGS,
                "`true` exports each cell unchanged. By default, a cell that a spreadsheet program would calculate \
                 begins with a `'`.",
            ),
            QueryParameter::one_of("computed", stored::FLAGS, "`true` exports the values of formulas."),
        ]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let format = params.one_of("format", FORMATS);
        let raw = params.one_of("raw", stored::FLAGS);
        let computed = params.one_of("computed", stored::FLAGS);
        let sheet = params.text("sheet").map(str::to_owned);
        // Only checked: CSV is the one format.
        format?;
        Some(Self { sheet: sheet?, raw: raw?.unwrap_or(false), computed: computed?.unwrap_or(false) })
    }
}

pub async fn export(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    Query(ExportSheet { sheet, raw, computed }): Query<ExportSheet>,
    context: Context,
) -> Result<Plain<CsvText>, Error> {
    let owner = WorkspaceId::from_identity(&caller)?;
    let read = context.read(move |conn| {
        let (_, content) = stored::find(conn, owner, id)?;
        let (index, sheet) = stored::sheet(&content, &sheet)?;
        if !computed {
            return Ok(csv::csv(sheet, raw));
        }
        let text = csv::computed_csv(&content, index, raw)?;
        stored::check_length(text.len())?;
        Ok(text)
    });
    let text = read.await?;
    Ok(Plain::new(text).header("content-disposition", "attachment; filename=\"sheet.csv\""))
}
