//! Comments on cells: whether their cells exist, and where an operation moves them.

use super::{lines::Lines, operation::SpreadsheetOperation, shift::Shift};
use crate::{
    anchor::Anchor,
    spreadsheets::{
        a1::{cell::Cell, range::CellRange},
        content::SpreadsheetContent,
    },
};

/// The most characters and bytes of an anchor's range.
const RANGE_BYTES: usize = 30;
// Replaces a deleted range. It never parses as a range, so the anchor cannot name the cells that move into the place.
const LOST: &str = "#REF!";

/// Whether the anchor's cells are within a sheet. An anchor to the whole file always exists.
pub fn has_anchor(content: &SpreadsheetContent, anchor: &Anchor) -> bool {
    let Anchor { block_id: None, slide_id: None, range } = anchor else { return false };
    let Some(text) = range else { return true };
    let Some((name, range)) = parse(text) else { return false };
    content.sheet(name).is_some_and(|(_, sheet)| {
        let Cell { row, column } = range.last();
        row < sheet.rows() && column < sheet.columns()
    })
}

/// The anchor after the operation. It stays with its cells.
pub fn shift_anchor(operation: &SpreadsheetOperation, anchor: Anchor) -> Anchor {
    let Some((name, range)) = anchor.range.as_deref().and_then(parse) else { return anchor };
    let shifted = match operation {
        SpreadsheetOperation::RenameSheet(rename) if rename.sheet == name => Some((rename.name.as_str(), range)),
        SpreadsheetOperation::DeleteSheet(delete) if delete.sheet == name => None,
        _ => match spliced(operation) {
            Some((sheet, lines, splice)) if sheet == name => shift(range, lines, splice).map(|range| (name, range)),
            _ => return anchor,
        },
    };
    // A rename or a shift can make the range longer than an anchor may be. Such an anchor is lost, too.
    let fits = |text: &String| text.len() <= RANGE_BYTES;
    let shifted = shifted.map(|(name, range)| format!("{name}!{range}")).filter(fits);
    let lost = || Some(format!("{name}!{LOST}")).filter(fits).unwrap_or_else(|| LOST.to_owned());
    Anchor { range: Some(shifted.unwrap_or_else(lost)), ..anchor }
}

/// Reads `Budget!A1:B2`. The last `!` ends the name, which may contain others.
pub fn parse(text: &str) -> Option<(&str, CellRange)> {
    let (name, range) = text.rsplit_once('!')?;
    Some((name, range.parse().ok()?))
}

/// The rows or columns that an operation inserts or deletes.
pub(in crate::spreadsheets) fn spliced(operation: &SpreadsheetOperation) -> Option<(&str, Lines, Shift)> {
    Some(match operation {
        SpreadsheetOperation::InsertRows(insert) => {
            (&insert.sheet, Lines::Rows, Shift::Insert { at: insert.row - 1, count: insert.count })
        }
        SpreadsheetOperation::DeleteRows(delete) => {
            (&delete.sheet, Lines::Rows, Shift::Delete { at: delete.row - 1, count: delete.count })
        }
        SpreadsheetOperation::InsertColumns(insert) => {
            (&insert.sheet, Lines::Columns, Shift::Insert { at: insert.column.0, count: insert.count })
        }
        SpreadsheetOperation::DeleteColumns(delete) => {
            (&delete.sheet, Lines::Columns, Shift::Delete { at: delete.column.0, count: delete.count })
        }
        _ => return None,
    })
}

fn shift(range: CellRange, lines: Lines, splice: Shift) -> Option<CellRange> {
    let (mut first, mut last) = (range.first(), range.last());
    match lines {
        Lines::Rows => (first.row, last.row) = splice.neighbors(first.row, last.row)?,
        Lines::Columns => (first.column, last.column) = splice.neighbors(first.column, last.column)?,
    }
    CellRange::new(first, last)
}
