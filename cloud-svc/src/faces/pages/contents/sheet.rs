//! A sheet as a grid.

use maud::{Markup, html};
use shared_runtime::pages::scrollable;

use cloud_content::spreadsheets::{
    a1::{cell::Cell, column::letters},
    compute::Value,
    content::{
        by_cell::ByCell,
        cell_key::CellKey,
        format::{CellAlign, CellFormat},
    },
    formula::is_formula,
    literal,
};

pub struct Grid<'a> {
    /// The name for screen readers.
    pub label: &'a str,
    pub rows: &'a [Vec<String>],
    /// The index of the first row.
    pub first: usize,
    /// The index of the sheet, and the formats of the workbook.
    pub formats: Option<(usize, &'a ByCell<CellFormat>)>,
    /// The values of the cells of these rows, if they are computed.
    pub values: Option<&'a [Vec<Value>]>,
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
                        td { span.hidden { (text!("Row")) } }
                        @for column in 0..columns { th scope="col" { (letters(column)) } }
                    }
                }
                tbody {
                    @for (index, cells) in grid.rows.iter().enumerate() {
                        @let row = grid.first + index;
                        tr {
                            th scope="row" { (row + 1) }
                            @for (column, text) in cells.iter().enumerate() {
                                @let value = grid.values.and_then(|values| values.get(index)?.get(column));
                                td class=[class(grid, Cell { row, column }, text, value)] dir="auto" {
                                    @match value {
                                        Some(value) if is_formula(text) => { (value.shown()) " " code.source { (text) } }
                                        _ => (cell(text)),
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

// The source of a formula, without its value.
pub fn cell(text: &str) -> Markup {
    html! { @if text.starts_with('=') { code { (text) } } @else { (text) } }
}

fn class(grid: &Grid<'_>, cell: Cell, text: &str, value: Option<&Value>) -> Option<&'static str> {
    // A class, because the content security policy of pages forbids inline styles.
    let format = grid.formats.and_then(|(sheet, formats)| formats.get(CellKey { sheet, cell }));
    match format.and_then(|format| format.align) {
        Some(CellAlign::Left) => Some("left"),
        Some(CellAlign::Center) => Some("center"),
        Some(CellAlign::Right) => Some("right"),
        // Numbers are aligned to the right, as in spreadsheet programs.
        None if matches!(value, Some(Value::Number(_) | Value::Blank)) => Some("right"),
        None => literal::number(text).is_some().then_some("right"),
    }
}
