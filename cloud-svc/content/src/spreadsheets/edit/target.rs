//! What the operations share: the sheet that they name, and the bound of the workbook.

use shared_model::Error;

use crate::{
    content::PartKey,
    preview::Preview,
    spreadsheets::{
        a1::cell::Cell,
        content::{CONTENT_BYTES, SpreadsheetContent},
    },
};

/// The fewest bytes of a cell in JSON: two quotation marks, and a comma or a bracket.
const CELL_BYTES: usize = 3;

/// The index of the sheet with this name; `at` is the JSON pointer of the name in the operation.
// A refusal quotes no names: others have chosen them, and agents read refusals as words of the service.
pub fn find_sheet(content: &SpreadsheetContent, name: &str, at: &str, preview: &Preview) -> Result<usize, Error> {
    let found = content.sheet(name).map(|(index, _)| index);
    found.ok_or_else(|| {
        let count = content.sheets.len();
        preview.invalid(at, format!("must be the name of a sheet; the file has {count}, and a read of it names them"))
    })
}

/// Refuses `more` cells if even empty cells would exceed the bound of the content.
pub fn check_room(content: &SpreadsheetContent, more: usize, at: &str, preview: &Preview) -> Result<(), Error> {
    // Called before the cells are allocated. The exact length of the content is checked after all operations.
    let cells = more + content.sheets.iter().map(|sheet| sheet.rows() * sheet.columns()).sum::<usize>();
    if more > 0 && cells * CELL_BYTES > CONTENT_BYTES {
        let rule = format!("must leave the workbook within {CONTENT_BYTES} bytes of JSON, too few for {cells} cells");
        return Err(preview.invalid(at, rule));
    }
    Ok(())
}

pub fn cell_key(sheet: &str, cell: Cell) -> PartKey {
    format!("{sheet}!{cell}")
}
