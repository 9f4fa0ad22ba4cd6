//! Some cells of a sheet as inputs, and the edits that write what was typed into them.

use maud::{Markup, html};
use serde_json::{Value, json};
use shared_model::{Refusal, code};
use shared_runtime::pages::{SignedIn, scrollable};

use cloud_content::spreadsheets::{
    a1::{cell::Cell, column::letters, range::CellRange},
    content::{SpreadsheetContent, sheet::Sheet},
};

/// Inputs on one page; more would make it slow.
pub const INPUTS: usize = 500;
/// The field of the cell with this number, row by row.
pub const FIELD: &str = "cell";
// When no range is asked for: what fits on a screen.
const ROWS: usize = 20;
const COLUMNS: usize = 8;
// A plan has at most 50 edits; beyond this number, one edit writes the whole range.
const RUNS: usize = 40;

/// The asked cells of a workbook.
pub struct Cells<'c> {
    pub sheet: &'c Sheet,
    pub range: CellRange,
}

impl<'c> Cells<'c> {
    /// The sheet and the range of the query or the form.
    pub fn asked(visit: &SignedIn, content: &'c SpreadsheetContent) -> Result<Self, Refusal> {
        let name = visit.value("sheet").unwrap_or_default();
        let found = content.sheets.iter().find(|sheet| name.is_empty() || sheet.name == name);
        let sheet = found.ok_or_else(|| code::invalid_parameter("sheet", "must be a sheet of this workbook"))?;
        let range = match visit.value("range").map(str::trim).filter(|text| !text.is_empty()) {
            Some(text) => CellRange::bounded(&text.to_ascii_uppercase()),
            None => first_screen(sheet).ok_or_else(|| "must be cells".to_owned()),
        };
        let range = range.map_err(|rule| code::invalid_parameter("range", rule))?;
        if range.cell_count() > INPUTS {
            let rule = format!("must have at most {INPUTS} cells, has {}", range.cell_count());
            return Err(code::invalid_parameter("range", rule));
        }
        Ok(Self { sheet, range })
    }

    fn stored(&self, cell: Cell) -> &'c str {
        self.sheet.cells.get(cell.row).and_then(|row| row.get(cell.column)).map_or("", String::as_str)
    }

    /// What stands in the input of the cell: what was typed, or what is stored.
    fn shown<'v>(&self, visit: &'v SignedIn, (number, cell): (usize, Cell)) -> &'v str
    where
        'c: 'v,
    {
        visit.value(&format!("{FIELD}-{number}")).unwrap_or_else(|| self.stored(cell))
    }

    pub fn inputs(&self, visit: &SignedIn) -> Markup {
        let columns = self.range.columns();
        let width = columns.len();
        scrollable(
            text!("Cells"),
            html! {
                table.grid.inputs {
                    thead { tr {
                        td { span.hidden { (text!("Row")) } }
                        @for column in columns.clone() { th scope="col" { (letters(column)) } }
                    } }
                    tbody {
                        @for (index, row) in self.range.rows().enumerate() {
                            tr {
                                th scope="row" { (row + 1) }
                                @for column in columns.clone() {
                                    @let number = index * width + (column - columns.start);
                                    @let name = format!("{}{}", letters(column), row + 1);
                                    td {
                                        input name=(format!("{FIELD}-{number}")) aria-label=(name) dir="auto" autocomplete="off"
                                            value=(self.shown(visit, (number, Cell { row, column })));
                                    }
                                }
                            }
                        }
                    }
                }
            },
        )
    }

    /// One edit for each run of changed cells in a row.
    pub fn operations(&self, visit: &SignedIn) -> Vec<Value> {
        let columns = self.range.columns();
        let width = columns.len();
        let mut runs: Vec<(Cell, Vec<&str>)> = Vec::new();
        for (number, cell) in self.range.cells().enumerate() {
            debug_assert_eq!(number % width, cell.column - columns.start, "cells come row by row");
            let typed = self.shown(visit, (number, cell));
            if typed == self.stored(cell) {
                continue;
            }
            match runs.last_mut() {
                Some((first, texts)) if first.row == cell.row && first.column + texts.len() == cell.column => {
                    texts.push(typed);
                }
                _ => runs.push((cell, vec![typed])),
            }
        }
        // It writes unchanged cells too, with the text that they have.
        if runs.len() > RUNS {
            let all = self.range.cells().enumerate().map(|numbered| self.shown(visit, numbered)).collect::<Vec<_>>();
            let rows: Vec<_> = all.chunks(width).collect();
            return vec![self.set(self.range.first(), self.range.last(), json!(rows))];
        }
        let run = |(first, texts): (Cell, Vec<&str>)| {
            let last = Cell { row: first.row, column: first.column + texts.len() - 1 };
            self.set(first, last, json!([texts]))
        };
        runs.into_iter().map(run).collect()
    }

    fn set(&self, first: Cell, last: Cell, values: Value) -> Value {
        let address = |cell: Cell| format!("{}{}", letters(cell.column), cell.row + 1);
        let range = format!("{}:{}", address(first), address(last));
        json!({"op": "set_cells", "sheet": self.sheet.name, "range": range, "values": values})
    }
}

// One row and column more than there are: people add at the end.
fn first_screen(sheet: &Sheet) -> Option<CellRange> {
    let (rows, columns) = ((sheet.rows() + 1).min(ROWS), (sheet.columns() + 1).min(COLUMNS));
    CellRange::new(Cell { row: 0, column: 0 }, Cell { row: rows - 1, column: columns - 1 })
}
