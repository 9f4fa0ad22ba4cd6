//! Loads a spreadsheet of which a part is shown.

use shared_model::{Error, Failure, Refusal, code, refusal::NextStep};
use shared_runtime::{Conn, http::contract::QueryParameter};

use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        links::FileLinks,
    },
    files::{file::File, store},
};
use cloud_content::{
    file_type::FileType,
    spreadsheets::content::{SpreadsheetContent, sheet::Sheet},
};

pub const NO_SUCH_SHEET: NextStep = NextStep::CorrectOne("sheet", "must be the name of a sheet of the workbook");

pub fn find(
    conn: &mut Conn,
    owner: WorkspaceId,
    id: FileId,
    links: &FileLinks,
) -> Result<(File, SpreadsheetContent), Error> {
    let (file, stored) = store::content_of_type(conn, owner, id, FileType::Spreadsheet, links)?;
    Ok((file, serde_json::from_str(&stored.content).map_err(Failure::from)?))
}

/// 404 if the workbook has no sheet of this name.
pub fn sheet<'a>(content: &'a SpreadsheetContent, name: &str) -> Result<&'a Sheet, Refusal> {
    match content.sheet(name) {
        Some((_, sheet)) => Ok(sheet),
        None => Err(Refusal {
            next: NO_SUCH_SHEET.action(false),
            ..code::not_found().because("The workbook has no such sheet.")
        }),
    }
}

pub fn sheet_parameter() -> QueryParameter {
    QueryParameter::text("sheet", true, "The exact name of a sheet.").example("Budget")
}
