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
use cloud_content::spreadsheets::content::SpreadsheetContent;

// About the bytes of HTML around a cell.
const AROUND_CELL: usize = 24;

/// With links to the other sheets.
pub fn render(content: &SpreadsheetContent, shown: &Shown<'_>) -> Markup {
    let index = shown.sheet.clamp(1, content.sheets.len().max(1)) - 1;
    let Some(sheet) = content.sheets.get(index) else { return Markup::default() };
    let costs = sheet.cells.iter().map(|row| row.iter().map(|cell| cell.len() + AROUND_CELL).sum());
    let (range, part) = paging::cut(costs, shown.page);
    let grid = Grid {
        label: &format!("Sheet {}", index + 1),
        rows: &sheet.cells[range.clone()],
        first: range.start,
        formats: content.formats.as_ref().map(|formats| (index, formats)),
    };
    html! {
        div.content {
            @if content.is_read_only() {
                p.note { "This workbook has data of another editor, so plans cannot change it." }
            }
            @if content.sheets.len() > 1 {
                nav aria-label="Sheets" {
                    ul.tabs {
                        @for (other, sheet) in content.sheets.iter().enumerate() {
                            li { a href=((shown.href)(Some(other + 1), 1)) aria-current=[(other == index).then_some("true")] { (name(&sheet.name)) } }
                        }
                    }
                }
            }
            h3 { (name(&sheet.name)) }
            p.note {
                (counted(sheet.rows(), "row", "rows")) ", " (counted(sheet.columns(), "column", "columns"))
                ". Formulas are shown as written and never calculated."
            }
            (sheet::grid(&grid))
        }
        (paging::links("Rows of the sheet", part, |page| (shown.href)(Some(index + 1), page)))
    }
}
