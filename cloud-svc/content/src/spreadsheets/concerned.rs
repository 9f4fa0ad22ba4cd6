//! Whether a plan can change the value of any formula that it does not name.

use super::{
    content::{SpreadsheetContent, sheet::Sheet},
    edit::operation::SpreadsheetOperation,
    references::{MarkedCells, references},
};

/// False only if no formula refers to a cell that the operations change. A value changes through references alone, so
/// then all values stay, and nothing needs to be calculated.
pub fn may_change_values(
    before: &SpreadsheetContent,
    after: &SpreadsheetContent,
    operations: &[SpreadsheetOperation],
) -> bool {
    if !keep_places(operations) {
        return true;
    }
    let changed: Vec<MarkedCells> =
        before.sheets.iter().zip(&after.sheets).map(|(old, new)| changed_cells(old, new)).collect();
    references(before).any(|(_, area)| changed[area.sheet].within(&area) > 0)
}

/// Whether each cell has the same address before and after.
pub fn keep_places(operations: &[SpreadsheetOperation]) -> bool {
    use SpreadsheetOperation as Op;
    // All others move cells, or change what a name means.
    let keeps_places = |operation: &Op| {
        matches!(operation, Op::SetCells(_) | Op::ClearRange(_) | Op::Fill(_) | Op::SetFormat(_) | Op::SetWidths(_))
    };
    operations.iter().all(keeps_places)
}

fn changed_cells(old: &Sheet, new: &Sheet) -> MarkedCells {
    let (rows, columns) = (old.rows().max(new.rows()), old.columns().max(new.columns()));
    MarkedCells::new(rows, columns, |cell| old.text(cell).unwrap_or_default() != new.text(cell).unwrap_or_default())
}
