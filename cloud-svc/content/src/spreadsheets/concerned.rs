//! Whether a plan can change the value of any formula that it does not name.

use super::{
    a1::cell::Cell,
    compute::area::Area,
    content::{SpreadsheetContent, sheet::Sheet},
    edit::operation::SpreadsheetOperation,
    formula::{self, is_formula},
};
use crate::name_key::name_key;

/// False only if no formula refers to a cell that the operations change. A value changes through references alone, so
/// then all values stay, and nothing needs to be calculated.
pub fn may_change_values(
    before: &SpreadsheetContent,
    after: &SpreadsheetContent,
    operations: &[SpreadsheetOperation],
) -> bool {
    use SpreadsheetOperation as Op;
    // All others move cells, or change what a name means.
    let keeps_places = |operation: &Op| {
        matches!(operation, Op::SetCells(_) | Op::ClearRange(_) | Op::Fill(_) | Op::SetFormat(_) | Op::SetWidths(_))
    };
    if !operations.iter().all(keeps_places) {
        return true;
    }
    let changed: Vec<Changed> =
        before.sheets.iter().zip(&after.sheets).map(|(old, new)| Changed::of(old, new)).collect();
    let index = |name: &str| before.sheets.iter().position(|sheet| name_key(&sheet.name) == name_key(name));
    before.sheets.iter().enumerate().any(|(own, sheet)| {
        sheet.texts().filter(|(_, text)| is_formula(text)).any(|(_, text)| {
            let Ok(tree) = formula::parse_stored(text) else { return false };
            tree.references().into_iter().any(|reference| {
                let sheet = reference.sheet.as_ref().map_or(Some(own), |sheet| index(&sheet.name));
                let area = sheet.and_then(|sheet| Area::new(sheet, &reference.area));
                area.is_some_and(|area| changed[area.sheet].is_in(&area))
            })
        })
    })
}

/// The cells of a sheet that have another text, and the rectangle around them.
#[derive(Default)]
struct Changed {
    cells: Vec<Cell>,
    around: Option<[Cell; 2]>,
}

impl Changed {
    fn of(old: &Sheet, new: &Sheet) -> Self {
        let rows = 0..old.rows().max(new.rows());
        let width = old.columns().max(new.columns());
        let mut changed = Self::default();
        for row in rows {
            for column in 0..width {
                let cell = Cell { row, column };
                if old.text(cell).unwrap_or_default() != new.text(cell).unwrap_or_default() {
                    changed.add(cell);
                }
            }
        }
        changed
    }

    fn add(&mut self, cell: Cell) {
        let [first, last] = self.around.unwrap_or([cell, cell]);
        self.around = Some([
            Cell { row: first.row.min(cell.row), column: first.column.min(cell.column) },
            Cell { row: last.row.max(cell.row), column: last.column.max(cell.column) },
        ]);
        self.cells.push(cell);
    }

    fn is_in(&self, area: &Area) -> bool {
        let [columns, rows] = [area.columns, area.rows];
        let has =
            |cell: &Cell| (rows[0]..=rows[1]).contains(&cell.row) && (columns[0]..=columns[1]).contains(&cell.column);
        // Most formulas refer to cells far from the changed ones.
        let is_near = self.around.is_some_and(|[first, last]| {
            rows[0] <= last.row && first.row <= rows[1] && columns[0] <= last.column && first.column <= columns[1]
        });
        is_near && self.cells.iter().any(has)
    }
}
