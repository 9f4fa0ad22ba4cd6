//! Some cells of a sheet as inputs, and what was typed into these and others.

use std::collections::BTreeMap;

use maud::{Markup, html};
use shared_model::{Refusal, code};
use shared_runtime::pages::{SignedIn, TypedText, scrollable};

use super::kept::{self, SheetCell};
use crate::faces::pages::typed::typed;
use cloud_content::spreadsheets::{
    a1::{cell::Cell, column::letters, range::CellRange},
    content::{SpreadsheetContent, sheet::Sheet},
};

/// Inputs on one page; more would make it slow.
pub const INPUTS: usize = 500;
/// The field of the cell with this number, row by row.
pub const FIELD: &str = "cell";
/// The name that [`TypedText::before`] gives to the hidden field about these fields.
pub const BEFORE: &str = "before-cell";
// When no range is asked for: what fits on a screen.
const ROWS: usize = 20;
const COLUMNS: usize = 8;

/// The asked cells of a workbook.
pub struct Cells<'c> {
    pub content: &'c SpreadsheetContent,
    /// The index of the sheet that is shown.
    pub at: usize,
    /// The cells that have an input.
    pub range: CellRange,
    /// What was typed into these and other cells, where it differs from their text.
    pub typed: BTreeMap<SheetCell, String>,
}

impl<'c> Cells<'c> {
    /// The sheet and the range of the query or the form, and what was typed.
    pub fn asked(visit: &SignedIn, content: &'c SpreadsheetContent) -> Result<Self, Refusal> {
        let value = |name: &str| visit.value(name).unwrap_or_default();
        let (at, range) = chosen(content, value("sheet"), value("range"))?;
        let inputs = range.cells().enumerate().filter_map(|(number, cell)| {
            let field = format!("{FIELD}-{number}");
            visit.value(&field).map(|_| ((at, cell), typed(visit, &field)))
        });
        let mut texts: BTreeMap<SheetCell, String> = inputs.collect();
        let fields = (0..kept::CELLS).map(|number| format!("{}-{number}", kept::FIELD));
        for field in fields.take_while(|field| visit.value(field).is_some()) {
            let read = kept::read(content, &typed(visit, &field));
            let wrong = || code::invalid_parameter(&field, "must be as this page has sent it");
            let (cell, text) = read.ok_or_else(wrong)?;
            // The text of an input was typed later, so it counts.
            texts.entry(cell).or_insert(text);
        }
        texts.retain(|(sheet, cell), text| text_of(&content.sheets[*sheet], *cell) != text.as_str());
        Ok(Self { content, at, range, typed: texts })
    }

    /// Shows other cells. What was typed stays.
    pub fn show(&mut self, sheet: &str, range: &str) -> Result<(), Refusal> {
        (self.at, self.range) = chosen(self.content, sheet, range)?;
        Ok(())
    }

    pub fn sheet(&self) -> &'c Sheet {
        &self.content.sheets[self.at]
    }

    /// Whether the cell has an input.
    pub fn shows(&self, (sheet, cell): SheetCell) -> bool {
        sheet == self.at && self.range.rows().contains(&cell.row) && self.range.columns().contains(&cell.column)
    }

    /// The text of a cell: what was typed, or what is stored.
    pub fn text(&self, (sheet, cell): SheetCell) -> &str {
        self.typed.get(&(sheet, cell)).map_or(text_of(&self.content.sheets[sheet], cell), String::as_str)
    }

    /// The name of a cell, with its sheet if that is not the one that is shown.
    pub fn name(&self, (sheet, cell): SheetCell) -> String {
        if sheet == self.at { cell.to_string() } else { kept::name(&self.content.sheets[sheet].name, cell) }
    }

    /// What was typed into cells that have no input.
    pub fn unshown(&self) -> Vec<(SheetCell, &str)> {
        let unshown = self.typed.iter().filter(|(cell, _)| !self.shows(**cell));
        unshown.map(|(cell, text)| (*cell, text.as_str())).collect()
    }

    pub fn inputs(&self) -> Markup {
        let columns = self.range.columns();
        let width = columns.len();
        let stored = self.range.cells().map(|cell| (cell.to_string(), text_of(self.sheet(), cell)));
        let before = TypedText::before(FIELD, stored);
        let table = scrollable(
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
                                    @let (name, text) = (cell.to_string(), self.text((self.at, cell)));
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
        );
        html! { (before) (table) }
    }
}

/// The sheet with this name, and these cells of it. Without a name it is the first one, without a range its beginning.
fn chosen(content: &SpreadsheetContent, name: &str, range: &str) -> Result<(usize, CellRange), Refusal> {
    let found = content.sheets.iter().position(|sheet| name.is_empty() || sheet.name == name);
    let at = found.ok_or_else(|| code::invalid_parameter("sheet", "must be a sheet of this workbook"))?;
    let range = match range.trim() {
        "" => first_screen(&content.sheets[at]).ok_or_else(|| "must be cells".to_owned()),
        text => CellRange::bounded(&text.to_ascii_uppercase()),
    };
    let range = range.map_err(|rule| code::invalid_parameter("range", rule))?;
    if range.cell_count() > INPUTS {
        let rule = format!("must have at most {INPUTS} cells, has {}", range.cell_count());
        return Err(code::invalid_parameter("range", rule));
    }
    Ok((at, range))
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
