//! What was typed into cells that have no input on the page, in hidden fields of the form.

use std::borrow::Cow;

use cloud_content::spreadsheets::{a1::cell::Cell, content::SpreadsheetContent};

/// The index of a sheet, and a cell of it.
pub type SheetCell = (usize, Cell);

/// The field of such a text with this number: `Rates!B3: 950`.
// As a person reads it, because a page without the form shows it.
pub const FIELD: &str = "kept";
/// More than a person types.
pub const CELLS: usize = 10_000;

/// The name of a cell within the workbook: `Rates!B3`.
pub fn name(sheet: &str, cell: Cell) -> String {
    format!("{}!{cell}", quoted(sheet))
}

pub fn write(sheet: &str, cell: Cell, text: &str) -> String {
    format!("{}: {text}", name(sheet, cell))
}

/// The cell and the text of a field; `None` if it names no cell of the workbook.
pub fn read(content: &SpreadsheetContent, field: &str) -> Option<(SheetCell, String)> {
    content.sheets.iter().enumerate().find_map(|(index, sheet)| {
        let rest = field.strip_prefix(&*quoted(&sheet.name))?.strip_prefix('!')?;
        let (cell, text) = rest.split_once(": ")?;
        Some(((index, cell.parse().ok()?), text.to_owned()))
    })
}

// In quotation marks unless it is plain, as in formulas. So no name with its mark is the beginning of another.
fn quoted(sheet: &str) -> Cow<'_, str> {
    let is_plain = sheet.chars().all(char::is_alphanumeric);
    if is_plain { sheet.into() } else { format!("'{}'", sheet.replace('\'', "''")).into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_is_read_back_into_its_cell_whatever_the_sheets_are_called() {
        let names = ["Budget", "Budget!A1: 0", "It's", "It's'!B2: ", "2026 (new)", "März"];
        let sheets: Vec<_> = names.iter().map(|name| json!({"name": name, "cells": [["x"]]})).collect();
        let content: SpreadsheetContent =
            serde_json::from_value(json!({"kind": "sheets", "sheets": sheets})).expect("a workbook");
        for (index, sheet) in names.iter().enumerate() {
            let cell = Cell { row: 11, column: 1 };
            for text in ["950", "", "a: b!C3: \nd", " '!A1: "] {
                let field = write(sheet, cell, text);
                assert_eq!(read(&content, &field), Some(((index, cell), text.to_owned())), "{field}");
            }
        }
        assert_eq!(write("Budget", Cell { row: 2, column: 1 }, "950"), "Budget!B3: 950");
        for wrong in ["Other!B3: 950", "Budget!B3", "Budget!3: 950", "B3: 950", ""] {
            assert_eq!(read(&content, wrong), None, "{wrong}");
        }
    }
}
