//! A spreadsheet as it is read from the store to show a part of it.

use shared_model::{Error, Failure, Refusal, code, refusal::NextStep};
use shared_runtime::{Conn, http::contract::QueryParameter};

use crate::{
    base::ids::{FileId, WorkspaceId},
    files::{file::File, store},
};
use cloud_content::{
    file_type::FileType,
    spreadsheets::content::{SpreadsheetContent, sheet::Sheet},
};

/// What to do about a sheet that is not there.
pub const NO_SUCH_SHEET: NextStep = NextStep::CorrectOne("sheet", "must be the name of a sheet of the workbook");

/// The owner's spreadsheet and its current content.
pub fn find(conn: &mut Conn, owner: WorkspaceId, id: FileId) -> Result<(File, SpreadsheetContent), Error> {
    let found = store::with_content(conn, owner, id, FileType::Spreadsheet)?;
    let (file, stored) = found.ok_or_else(code::not_found)?;
    Ok((file, serde_json::from_str(&stored.content).map_err(Failure::from)?))
}

/// A sheet of the workbook, by its name: 404.
pub fn sheet<'a>(content: &'a SpreadsheetContent, name: &str) -> Result<&'a Sheet, Refusal> {
    match content.sheet(name) {
        Some((_, sheet)) => Ok(sheet),
        None => Err(Refusal {
            next: NO_SUCH_SHEET.action(false),
            ..code::not_found().because("The workbook has no such sheet.")
        }),
    }
}

/// The parameter `sheet`.
pub fn sheet_parameter() -> QueryParameter {
    QueryParameter::text("sheet", true, "The name of a sheet, to the letter.").example("Budget")
}
