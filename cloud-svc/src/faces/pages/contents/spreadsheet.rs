//! Spreadsheets: some rows of one sheet.

use maud::{Markup, html};

use super::{
    sheet::{self, Grid},
    shown::Shown,
};
use crate::faces::pages::{
    paging,
    phrases::{counted, name},
};
use cloud_content::spreadsheets::{
    a1::cell::Cell,
    compute::{TooLarge, Value, Workbook},
    content::SpreadsheetContent,
};

// Fewer than for a program, because a page is made while others wait.
const VISITS: usize = 1_000_000;
// About the bytes of HTML around a cell.
const AROUND_CELL: usize = 24;

/// With links to the other sheets.
pub fn render(content: &SpreadsheetContent, shown: &Shown<'_>) -> Markup {
    let index = shown.sheet.clamp(1, content.sheets.len().max(1)) - 1;
    let Some(sheet) = content.sheets.get(index) else { return Markup::default() };
    let costs = sheet.cells.iter().map(|row| row.iter().map(|cell| cell.len() + AROUND_CELL).sum());
    let (range, part) = paging::cut(costs, shown.page);
    let values = values(content, index, range.clone());
    let grid = Grid {
        label: &title!("Sheet {n}", n = index + 1),
        rows: &sheet.cells[range.clone()],
        first: range.start,
        formats: content.formats.as_ref().map(|formats| (index, formats)),
        values: values.as_deref(),
    };
    html! {
        div.content {
            @if content.is_read_only() {
                p.note { (text!("This workbook has data from another editor, so plans cannot change it.")) }
            }
            @if content.sheets.len() > 1 {
                nav aria-label=(text!("Sheets")) {
                    ul.tabs {
                        @for (other, sheet) in content.sheets.iter().enumerate() {
                            li { a href=((shown.href)(Some(other + 1), 1)) aria-current=[(other == index).then_some("true")] { (name(&sheet.name)) } }
                        }
                    }
                }
            }
            h3 { (name(&sheet.name)) }
            p.note {
                (counted(sheet.rows(), text!("{n} row"), text!("{n} rows"))) ", " (counted(sheet.columns(), text!("{n} column"), text!("{n} columns")))
                ". "
                @if values.is_some() { (text!("Formulas are shown below their values.")) }
                @else { (text!("Its formulas are too much to calculate for a page, and are shown as written.")) }
            }
            (sheet::grid(&grid))
        }
        (paging::links(text!("Rows of the sheet"), part, |page| (shown.href)(Some(index + 1), page)))
    }
}

/// The values of some rows; `None` if they are too much to calculate.
fn values(content: &SpreadsheetContent, sheet: usize, rows: std::ops::Range<usize>) -> Option<Vec<Vec<Value>>> {
    let mut workbook = Workbook::bounded(content, VISITS);
    let columns = content.sheets[sheet].columns();
    let mut value = |row, column| workbook.value(sheet, Cell { row, column });
    let values: Result<_, TooLarge> = rows.map(|row| (0..columns).map(|column| value(row, column)).collect()).collect();
    values.ok()
}
