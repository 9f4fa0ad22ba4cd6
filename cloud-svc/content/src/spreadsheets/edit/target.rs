//! What operations have in common: the sheet that they name, the room that there is.

use shared_model::{Error, words};

use crate::{
    content::PartKey,
    preview::Preview,
    spreadsheets::{
        a1::cell::Cell,
        content::{CONTENT_BYTES, SpreadsheetContent},
    },
};

/// The least that a cell takes in JSON: two quotation marks, and a comma or a bracket.
const CELL_BYTES: usize = 3;

/// The index of the sheet of this name, which stands at `at` of the operation.
pub fn find_sheet(content: &SpreadsheetContent, name: &str, at: &str, preview: &Preview) -> Result<usize, Error> {
    let found = content.sheet(name).map(|(index, _)| index);
    found.ok_or_else(|| {
        let names: Vec<_> = content.sheets.iter().map(|sheet| sheet.name.as_str()).collect();
        preview.invalid(at, format!("must be the name of a sheet; there are {}", words::join_and(&names)))
    })
}

/// Refuses so many more cells that no text of them could keep the content within its bound, before there are any.
pub fn check_room(content: &SpreadsheetContent, more: usize, at: &str, preview: &Preview) -> Result<(), Error> {
    let cells = more + content.sheets.iter().map(|sheet| sheet.rows() * sheet.columns()).sum::<usize>();
    if more > 0 && cells * CELL_BYTES > CONTENT_BYTES {
        let rule = format!("must leave the workbook within {CONTENT_BYTES} bytes of JSON, which {cells} cells are not");
        return Err(preview.invalid(at, rule));
    }
    Ok(())
}

/// The key of a cell among the parts of a workbook.
pub fn cell_key(sheet: &str, cell: Cell) -> PartKey {
    format!("{sheet}!{cell}")
}
