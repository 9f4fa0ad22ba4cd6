//! Comments on cells: whether the cells are there, and where they are after an operation.

use super::{lines::Lines, operation::SpreadsheetOperation, splice::Splice};
use crate::{
    anchor::Anchor,
    spreadsheets::{
        a1::{cell::Cell, range::CellRange},
        content::SpreadsheetContent,
    },
};

/// Characters and bytes of the range of an anchor at most.
const RANGE_BYTES: usize = 30;
/// In place of a range that is deleted. No sheet has cells of this name, so the anchor stays lost and never names what
/// takes the place.
const LOST: &str = "#REF!";

/// Whether the cells of an anchor are within a sheet, or it is about the whole file.
pub fn has_anchor(content: &SpreadsheetContent, anchor: &Anchor) -> bool {
    let Anchor { block_id: None, slide_id: None, range } = anchor else { return false };
    let Some(text) = range else { return true };
    let Some((name, range)) = parse(text) else { return false };
    content.sheet(name).is_some_and(|(_, sheet)| {
        let Cell { row, column } = range.last();
        row < sheet.rows() && column < sheet.columns()
    })
}

/// The anchor after the operation: it stays with its cells.
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
    let fits = |text: &String| text.len() <= RANGE_BYTES;
    let shifted = shifted.map(|(name, range)| format!("{name}!{range}")).filter(fits);
    let lost = || Some(format!("{name}!{LOST}")).filter(fits).unwrap_or_else(|| LOST.to_owned());
    Anchor { range: Some(shifted.unwrap_or_else(lost)), ..anchor }
}

/// `Budget!A1:B2`: the last `!` ends the name, which may have others.
fn parse(text: &str) -> Option<(&str, CellRange)> {
    let (name, range) = text.rsplit_once('!')?;
    Some((name, range.parse().ok()?))
}

/// The lines that an operation inserts or deletes.
fn spliced(operation: &SpreadsheetOperation) -> Option<(&str, Lines, Splice)> {
    Some(match operation {
        SpreadsheetOperation::InsertRows(insert) => {
            (&insert.sheet, Lines::Rows, Splice::Insert { at: insert.row - 1, count: insert.count })
        }
        SpreadsheetOperation::DeleteRows(delete) => {
            (&delete.sheet, Lines::Rows, Splice::Delete { at: delete.row - 1, count: delete.count })
        }
        SpreadsheetOperation::InsertColumns(insert) => {
            (&insert.sheet, Lines::Columns, Splice::Insert { at: insert.column.0, count: insert.count })
        }
        SpreadsheetOperation::DeleteColumns(delete) => {
            (&delete.sheet, Lines::Columns, Splice::Delete { at: delete.column.0, count: delete.count })
        }
        _ => return None,
    })
}

fn shift(range: CellRange, lines: Lines, splice: Splice) -> Option<CellRange> {
    let (mut first, mut last) = (range.first(), range.last());
    match lines {
        Lines::Rows => (first.row, last.row) = splice.neighbours(first.row, last.row)?,
        Lines::Columns => (first.column, last.column) = splice.neighbours(first.column, last.column)?,
    }
    CellRange::new(first, last)
}
