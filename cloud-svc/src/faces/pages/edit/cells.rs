//! Some cells of a sheet as inputs, and the edits that write what was typed into them.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde_json::{Value, json};
use shared_model::{Error, NextAction, Problem, Refusal, code};
use shared_runtime::pages::{SignedIn, scrollable};

use crate::faces::pages::typed::typed;
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
    /// What was typed, where it differs from the text of the cell.
    pub typed: BTreeMap<Cell, String>,
}

impl<'c> Cells<'c> {
    /// The sheet and the range of the query or the form, and what was typed into its inputs.
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
        let inputs = range.cells().enumerate().filter_map(|(number, cell)| {
            let field = format!("{FIELD}-{number}");
            visit.value(&field).map(|_| (cell, typed(visit, &field)))
        });
        let typed = inputs.filter(|(cell, text)| text_of(sheet, *cell) != text).collect();
        Ok(Self { sheet, range, typed })
    }

    /// The text in the input of the cell: what was typed, or what is stored.
    fn shown(&self, cell: Cell) -> &str {
        self.typed.get(&cell).map_or(text_of(self.sheet, cell), String::as_str)
    }

    pub fn inputs(&self) -> Markup {
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
                                    @let cell = Cell { row, column };
                                    @let (name, text) = (address(cell), self.shown(cell));
                                    @let field = format!("{FIELD}-{number}");
                                    td {
                                        // Browsers remove line breaks from an input. HTML drops one at the beginning of a text area.
                                        @if text.contains('\n') {
                                            textarea name=(field) aria-label=(name) dir="auto" autocomplete="off" { "\n" (text) }
                                        } @else {
                                            input name=(field) aria-label=(name) dir="auto" autocomplete="off" value=(text);
                                        }
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
    pub fn operations(&self) -> Vec<Value> {
        let mut runs: Vec<(Cell, Vec<&str>)> = Vec::new();
        for (cell, text) in &self.typed {
            match runs.last_mut() {
                Some((first, texts)) if first.row == cell.row && first.column + texts.len() == cell.column => {
                    texts.push(text);
                }
                _ => runs.push((*cell, vec![text.as_str()])),
            }
        }
        // It writes unchanged cells too, with the text that they have.
        if runs.len() > RUNS {
            let all: Vec<&str> = self.range.cells().map(|cell| self.shown(cell)).collect();
            let rows: Vec<_> = all.chunks(self.range.columns().len()).collect();
            return vec![self.set(self.range.first(), self.range.last(), json!(rows))];
        }
        let run = |(first, texts): (Cell, Vec<&str>)| {
            let last = Cell { row: first.row, column: first.column + texts.len() - 1 };
            self.set(first, last, json!([texts]))
        };
        runs.into_iter().map(run).collect()
    }

    fn set(&self, first: Cell, last: Cell, values: Value) -> Value {
        let range = format!("{}:{}", address(first), address(last));
        json!({"op": "set_cells", "sheet": self.sheet.name, "range": range, "values": values})
    }
}

/// The same refusal, but with the names of cells: a person does not know the edits that the form makes.
pub fn named(operations: &[Value], error: Error) -> Error {
    let refusal = match error {
        Error::Refused(refusal) => refusal,
        failed @ Error::Failed(_) => return failed,
    };
    let Some(NextAction::CorrectRequest { problems }) = refusal.next_action(false) else {
        return Error::Refused(refusal);
    };
    if !problems.iter().any(|problem| cell_at(operations, &problem.at).is_some()) {
        return Error::Refused(refusal);
    }
    let named = |problem: Problem| match cell_at(operations, &problem.at) {
        Some(cell) => Problem { at: format!("Cell {}", address(cell)), rule: problem.rule },
        None => problem,
    };
    Refusal::problems(refusal.code, problems.into_iter().map(named).collect()).into()
}

/// The cell that a JSON pointer into the edits names.
fn cell_at(operations: &[Value], pointer: &str) -> Option<Cell> {
    let (operation, place) = pointer.strip_prefix("/operations/")?.split_once("/values/")?;
    let (row, column) = place.split_once('/')?;
    let range = operations.get(operation.parse::<usize>().ok()?)?.get("range")?.as_str()?;
    let first = CellRange::bounded(range).ok()?.first();
    Some(Cell { row: first.row + row.parse::<usize>().ok()?, column: first.column + column.parse::<usize>().ok()? })
}

pub fn address(cell: Cell) -> String {
    format!("{}{}", letters(cell.column), cell.row + 1)
}

/// The text of a cell; empty beyond the end of the sheet.
pub fn text_of(sheet: &Sheet, cell: Cell) -> &str {
    sheet.text(cell).unwrap_or_default()
}

// One row and column more than there are: people add at the end.
fn first_screen(sheet: &Sheet) -> Option<CellRange> {
    let (rows, columns) = ((sheet.rows() + 1).min(ROWS), (sheet.columns() + 1).min(COLUMNS));
    CellRange::new(Cell { row: 0, column: 0 }, Cell { row: rows - 1, column: columns - 1 })
}
