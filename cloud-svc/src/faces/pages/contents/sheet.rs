//! A sheet as a grid.

use maud::{Markup, html};
use shared_runtime::pages::scrollable;

use cloud_content::spreadsheets::{
    a1::{cell::Cell, column::letters},
    content::{
        by_cell::ByCell,
        cell_key::CellKey,
        format::{CellAlign, CellFormat},
    },
};

pub struct Grid<'a> {
    /// The name for screen readers.
    pub label: &'a str,
    pub rows: &'a [Vec<String>],
    /// The index of the first row.
    pub first: usize,
    /// The index of the sheet, and the formats of the workbook.
    pub formats: Option<(usize, &'a ByCell<CellFormat>)>,
}

// Scrolls by itself: a sheet may be wider than the page.
pub fn grid(grid: &Grid<'_>) -> Markup {
    let columns = grid.rows.iter().map(Vec::len).max().unwrap_or_default();
    scrollable(
        grid.label,
        html! {
            table.grid {
                thead {
                    tr {
                        td { span.hidden { "Row" } }
                        @for column in 0..columns { th scope="col" { (letters(column)) } }
                    }
                }
                tbody {
                    @for (index, cells) in grid.rows.iter().enumerate() {
                        @let row = grid.first + index;
                        tr {
                            th scope="row" { (row + 1) }
                            @for (column, text) in cells.iter().enumerate() {
                                td class=[class(grid, Cell { row, column }, text)] dir="auto" { (cell(text)) }
                            }
                        }
                    }
                }
            }
        },
    )
}

// Formulas are never calculated, so their source is marked as code.
pub fn cell(text: &str) -> Markup {
    html! { @if text.starts_with('=') { code { (text) } } @else { (text) } }
}

fn class(grid: &Grid<'_>, cell: Cell, text: &str) -> Option<&'static str> {
    // A class, because the content security policy of pages forbids inline styles.
    let format = grid.formats.and_then(|(sheet, formats)| formats.get(CellKey { sheet, cell }));
    match format.and_then(|format| format.align) {
        Some(CellAlign::Left) => Some("left"),
        Some(CellAlign::Center) => Some("center"),
        Some(CellAlign::Right) => Some("right"),
        // Numbers are aligned to the right, as in spreadsheet programs.
        None => text.parse::<f64>().is_ok().then_some("right"),
    }
}
