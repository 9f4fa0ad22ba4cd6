//! A sheet: a name, and rows of cells.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_model::{
    JsonReader,
    rule::{Array, OneLine, Text},
};

use crate::spreadsheets::a1::{
    cell::{Cell, ROWS},
    column::COLUMNS,
};

/// The most sheets of a workbook.
pub const SHEETS: usize = 10;

/// The most bytes of a cell.
pub const CELL_BYTES: usize = 10_000;

pub type SheetName = OneLine<80>;
pub type CellText = Text<CELL_BYTES>;
/// The rows of a sheet. [`check_rows`] checks that they have equal length.
pub type Cells = Array<Array<CellText, 1, COLUMNS>, 1, ROWS>;

shared_model::json_object! {
    /// One sheet of a workbook.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Sheet {
        /// Unique in the workbook, without regard to case.
        pub name: String as SheetName,
        /// Rows with the same number of cells each. Text that begins with `=` is a formula.
        pub cells: Vec<Vec<String>> as Cells,
    }
    check = check_rows;
}

/// Notes each row in the member `cells` that is not as long as the first.
pub fn check_rows<T>(reader: &JsonReader<'_>, _: Option<&T>) {
    // Generic and on the untyped value: operations that bring a sheet have the same member and the same rule.
    let length = |row: &Value| row.as_array().map(Vec::len);
    let rows = reader.value().get("cells").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let Some(width) = rows.first().and_then(length) else { return };
    let ragged =
        rows.iter().enumerate().filter_map(|(index, row)| Some((index, length(row).filter(|has| *has != width)?)));
    for (index, has) in ragged {
        let rule = format!("must have as many cells as the first row, {width}, has {has}");
        reader.note(&format!("/cells/{index}"), rule);
    }
}

impl Sheet {
    pub fn rows(&self) -> usize {
        self.cells.len()
    }

    pub fn columns(&self) -> usize {
        self.cells.first().map_or(0, Vec::len)
    }

    /// `None` beyond the last row or column.
    pub fn text(&self, cell: Cell) -> Option<&str> {
        Some(self.cells.get(cell.row)?.get(cell.column)?)
    }

    /// All cells, row by row.
    pub fn texts(&self) -> impl Iterator<Item = (Cell, &str)> {
        self.cells.iter().enumerate().flat_map(|(row, cells)| {
            cells.iter().enumerate().map(move |(column, text)| (Cell { row, column }, text.as_str()))
        })
    }
}
