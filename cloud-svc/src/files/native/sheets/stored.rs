//! Loads a spreadsheet of which a part is shown.

use shared_model::{Error, Failure, Refusal, code, refusal::NextStep};
use shared_runtime::Conn;

use crate::{
    base::{codes, ids::FileId, limits::RESPONSE_BYTES, links::FileLinks, owner::Owner},
    files::{file::File, store},
};
use cloud_content::{
    file_type::FileType,
    name_key::name_key,
    spreadsheets::content::{SpreadsheetContent, sheet::Sheet},
};

pub const NO_SUCH_SHEET: NextStep = NextStep::CorrectOne("sheet", "must be the name of a sheet of the workbook");

pub fn find(conn: &mut Conn, owner: Owner, id: FileId, links: &FileLinks) -> Result<(File, SpreadsheetContent), Error> {
    let (file, stored) = store::content_of_type(conn, owner, id, FileType::Spreadsheet, links)?;
    Ok((file, serde_json::from_str(&stored.content).map_err(Failure::from)?))
}

/// 404 if the workbook has no sheet of this name. Case is ignored: names of sheets differ in more than case.
pub fn sheet<'a>(content: &'a SpreadsheetContent, name: &str) -> Result<(usize, &'a Sheet), Refusal> {
    let key = name_key(name);
    let mut sheets = content.sheets.iter().enumerate();
    match sheets.find(|(_, sheet)| name_key(&sheet.name) == key) {
        Some(found) => Ok(found),
        None => Err(code::not_found().because("The workbook has no such sheet.").step(NO_SUCH_SHEET)),
    }
}

/// `true` or `false`, in query parameters.
pub const FLAGS: &[(&str, bool)] = &[("true", true), ("false", false)];

/// 413 if the computed texts of an answer are longer than an answer may be: a formula can repeat a text.
pub fn check_length(bytes: usize) -> Result<(), Refusal> {
    if bytes > RESPONSE_BYTES { Err(codes::RESPONSE_TOO_LARGE.refusal()) } else { Ok(()) }
}
