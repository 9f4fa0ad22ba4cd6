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

/// Sheets of a workbook at most.
pub const SHEETS: usize = 10;

/// A sheet's name.
pub type SheetName = OneLine<80>;
/// The text of a cell.
pub type CellText = Text<10_000>;
/// The cells of a sheet; [`check_rows`] says the rest.
pub type Cells = Array<Array<CellText, 1, COLUMNS>, 1, ROWS>;

shared_model::json_object! {
    /// One sheet of a workbook.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Sheet {
        /// Its name, which no other sheet has in whatever case.
        pub name: String as SheetName,
        /// Its rows, all of the same number of cells. What begins with `=` is a formula, which is kept and not calculated.
        pub cells: Vec<Vec<String>> as Cells,
    }
    check = check_rows;
}

/// The rows in the member `cells` have equal length.
pub fn check_rows<T>(reader: &JsonReader<'_>, _: Option<&T>) {
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
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.cells.len()
    }

    /// How many columns it has.
    pub fn columns(&self) -> usize {
        self.cells.first().map_or(0, Vec::len)
    }

    /// The text of a cell, if the sheet reaches that far.
    pub fn text(&self, cell: Cell) -> Option<&str> {
        Some(self.cells.get(cell.row)?.get(cell.column)?)
    }

    /// All its cells, row by row.
    pub fn texts(&self) -> impl Iterator<Item = (Cell, &str)> {
        self.cells.iter().enumerate().flat_map(|(row, cells)| {
            cells.iter().enumerate().map(move |(column, text)| (Cell { row, column }, text.as_str()))
        })
    }
}
