//! Builds a spreadsheet from the cells of a file.

use shared_model::{Failure, Problem, json_reader};

use crate::spreadsheets::{
    a1::{
        cell::{Cell, ROWS},
        column::COLUMNS,
    },
    content::{SpreadsheetContent, SpreadsheetKind, sheet::Sheet},
};

/// The cells of a sheet, set in any order.
#[derive(Debug, Default)]
pub struct Cells(Vec<Vec<String>>);

impl Cells {
    /// Fails if a sheet cannot have that many rows or columns.
    pub fn set(&mut self, row: usize, column: usize, text: String) -> Result<(), String> {
        if row >= ROWS || column >= COLUMNS {
            let cell = Cell { row, column };
            return Err(format!("must have at most {ROWS} rows and {COLUMNS} columns; cell {cell} is outside"));
        }
        if self.0.len() <= row {
            self.0.resize_with(row + 1, Vec::new);
        }
        let cells = &mut self.0[row];
        if cells.len() <= column {
            cells.resize_with(column + 1, String::new);
        }
        cells[column] = text;
        Ok(())
    }

    /// The sheet; all rows get the length of the longest.
    pub fn sheet(self, name: String) -> Sheet {
        let mut cells = self.0;
        let width = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        if cells.is_empty() {
            cells.push(Vec::new());
        }
        cells.iter_mut().for_each(|row| row.resize_with(width, String::new));
        Sheet { name, cells }
    }
}

/// A spreadsheet of one sheet.
pub fn of_sheet(sheet: Sheet) -> SpreadsheetContent {
    let (kind, sheets) = (SpreadsheetKind::Sheets, vec![sheet]);
    SpreadsheetContent { kind, sheets, formats: None, validation: None, widths: None, univer: None }
}

/// The same spreadsheet, or its problems, each with the address of its cell.
pub fn checked(content: SpreadsheetContent) -> Result<Result<SpreadsheetContent, Vec<Problem>>, Failure> {
    let problems = match json_reader::read::<SpreadsheetContent>(&serde_json::to_value(&content)?) {
        Ok(_) => content.formula_problems(),
        Err(problems) => problems,
    };
    if problems.is_empty() {
        return Ok(Ok(content));
    }
    let at = |problem: Problem| match cell_at(&problem.at) {
        Some(at) => Problem { at, ..problem },
        None => problem,
    };
    Ok(Err(problems.into_iter().map(at).collect()))
}

/// `B3 of sheet 1` for the pointer `/sheets/0/cells/2/1`.
// Others may have named the sheet, and tools show a refusal as the words of the service. So it gives the number.
fn cell_at(pointer: &str) -> Option<String> {
    let (sheet, cell) = pointer.strip_prefix("/sheets/")?.split_once("/cells/")?;
    let (row, column) = cell.split_once('/')?;
    let cell = Cell { row: row.parse().ok()?, column: column.parse().ok()? };
    Some(format!("{cell} of sheet {}", sheet.parse::<usize>().ok()? + 1))
}
