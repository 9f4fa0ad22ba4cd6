//! Reads the cells of a workbook one by one. A sheet may declare a size that no memory has, so nothing is allocated by
//! it.

use std::io::Cursor;

use calamine::{Reader as _, SheetType, Xlsx, XlsxError, open_workbook_from_rs};

use super::{cell_text, formula::SharedFormulas};
use crate::transfer::import::spreadsheet::Cells;
use cloud_content::spreadsheets::{
    a1::cell::Cell,
    content::{
        CONTENT_BYTES,
        sheet::{SHEETS, Sheet},
    },
    formula::is_formula,
};

/// Reads all worksheets, also hidden ones.
pub fn read(bytes: &[u8]) -> Result<Vec<Sheet>, String> {
    let mut workbook: Xlsx<_> = open_workbook_from_rs(Cursor::new(bytes)).map_err(broken)?;
    let sheets = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let names: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    if !(1..=SHEETS).contains(&names.len()) {
        return Err(format!("must have 1 to {SHEETS} sheets, has {}", names.len()));
    }
    let mut bytes_left = CONTENT_BYTES;
    names.into_iter().map(|name| sheet(&mut workbook, name, &mut bytes_left)).collect()
}

fn sheet(workbook: &mut Xlsx<Cursor<&[u8]>>, name: String, bytes_left: &mut usize) -> Result<Sheet, String> {
    let (mut cells, mut shared) = (Cells::default(), SharedFormulas::default());
    let mut records = workbook.worksheet_cells_reader(&name).map_err(broken)?;
    while let Some(record) = records.next_cell_with_formula_metadata().map_err(broken)? {
        let (row, column) = (record.pos.0 as usize, record.pos.1 as usize);
        let at = || format!("{name}!{}", Cell { row, column });
        let formula = record.formula.map(|formula| shared.resolve(record.pos, formula)).transpose();
        let text = match formula.map_err(|rule| format!("{} {rule}", at()))? {
            Some(formula) if !formula.is_empty() => format!("={formula}"),
            _ => match cell_text::text(&record.value) {
                None => continue,
                // Text in the workbook would become a formula here.
                Some(text) if is_formula(&text) => return Err(format!("{} must not be text that begins with =", at())),
                Some(text) => text,
            },
        };
        // Many cells may share one long text, so the size of the unpacked parts does not bound them.
        *bytes_left = bytes_left
            .checked_sub(text.len())
            .ok_or_else(|| format!("must have at most {CONTENT_BYTES} bytes of text in its cells"))?;
        cells.set(row, column, text).map_err(|rule| format!("{name} {rule}"))?;
    }
    Ok(cells.sheet(name))
}

fn broken(error: XlsxError) -> String {
    format!("must be a readable workbook: {error}")
}
