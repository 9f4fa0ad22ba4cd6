//! `GET /v1/spreadsheets/{file_id}/export`: a sheet as comma-separated values, or the workbook for spreadsheet programs.

use shared_model::{Error, Failure, openapi_schema};
use shared_runtime::{
    Caller, Context, FromQuery, Params, Path, Query, State,
    http::{
        contract::{Contract, QueryParameter},
        reply::{MediaType, Plain, Reply, Success},
    },
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::stored;
use crate::base::{heavy::heavy, ids::FileId, links::FileLinks, owner::Owner, permissions::ReadFiles};
use cloud_content::spreadsheets::{csv, xlsx};

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

pub struct Workbook;

impl MediaType for Workbook {
    const MEDIA_TYPE: &'static str = xlsx::MEDIA_TYPE;
}

impl PartialSchema for Workbook {
    fn schema() -> RefOr<Schema> {
        openapi_schema::binary(&["A workbook (Office Open XML)."]).into()
    }
}

impl ToSchema for Workbook {}

pub enum Exported {
    Csv(Plain<CsvText>),
    Xlsx(Plain<Workbook>),
}

impl Success for Exported {
    fn describe(contract: &mut Contract) {
        Plain::<CsvText>::describe(contract);
        Plain::<Workbook>::describe(contract);
    }

    fn into_reply(self) -> Reply {
        match self {
            Self::Csv(text) => text.into_reply(),
            Self::Xlsx(bytes) => bytes.into_reply(),
        }
    }
}

#[derive(Clone, Copy)]
enum Format {
    Csv,
    Xlsx,
}

#[derive(Debug)]
pub enum Export {
    Csv {
        sheet: String,
        raw: bool,
        computed: bool,
    },
    /// All sheets.
    Xlsx,
}

const FORMATS: &[(&str, Format)] = &[("csv", Format::Csv), ("xlsx", Format::Xlsx)];

impl FromQuery for Export {
    fn describe() -> Vec<QueryParameter> {
        vec![
            QueryParameter::one_of(
                "format",
                FORMATS,
                "`csv`, also when absent: one sheet. `xlsx`: the whole workbook, with its formulas.",
            ),
            QueryParameter::text("sheet", false, "Only with `csv`, which needs it: the exact name of a sheet.")
                .example("Budget"),
            QueryParameter::one_of(
                "raw",
                stored::FLAGS,
                "Only with `csv`. `true` exports each cell unchanged. By default, a cell that a spreadsheet program \
                 would calculate begins with a `'`.",
            ),
            QueryParameter::one_of(
                "computed",
                stored::FLAGS,
                "Only with `csv`. `true` exports the values of formulas.",
            ),
        ]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let format = params.one_of("format", FORMATS);
        let raw = params.one_of("raw", stored::FLAGS);
        let computed = params.one_of("computed", stored::FLAGS);
        let sheet = params.text("sheet").map(str::to_owned);
        match (format?.unwrap_or(Format::Csv), sheet, raw?, computed?) {
            (Format::Csv, Some(sheet), raw, computed) => {
                Some(Self::Csv { sheet, raw: raw.unwrap_or(false), computed: computed.unwrap_or(false) })
            }
            (Format::Csv, None, ..) => params.refuse("sheet", "must be sent with the format csv"),
            (Format::Xlsx, None, None, None) => Some(Self::Xlsx),
            (Format::Xlsx, sheet, raw, _) => {
                let name = match (sheet, raw) {
                    (Some(_), _) => "sheet",
                    (None, Some(_)) => "raw",
                    (None, None) => "computed",
                };
                params.refuse(name, "must be absent with the format xlsx")
            }
        }
    }
}

pub async fn export(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    Query(wanted): Query<Export>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Exported, Error> {
    let owner = Owner::of_caller(&caller)?;
    // File names are constant: a header could carry only a part of the characters of a name.
    match wanted {
        Export::Csv { sheet, raw, computed } => {
            let read = context.read(move |conn| {
                let (_, content) = stored::find(conn, owner, id, &links)?;
                let (index, sheet) = stored::sheet(&content, &sheet)?;
                if !computed {
                    return Ok(csv::csv(sheet, raw));
                }
                csv::computed_csv(&content, index, raw)
            });
            let text = Plain::new(read.await?).header("content-disposition", "attachment; filename=\"sheet.csv\"");
            Ok(Exported::Csv(text))
        }
        Export::Xlsx => {
            let (_, content) = context.read(move |conn| stored::find(conn, owner, id, &links)).await?;
            let bytes =
                heavy(move || xlsx::xlsx(&content)).await?.map_err(|error| Failure::fault(error.to_string()))?;
            let bytes = Plain::new(bytes).header("content-disposition", "attachment; filename=\"workbook.xlsx\"");
            Ok(Exported::Xlsx(bytes))
        }
    }
}
