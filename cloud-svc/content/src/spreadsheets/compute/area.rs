//! A rectangle of cells on one sheet, to which a formula refers.

use crate::spreadsheets::{
    a1::cell::Cell,
    formula::tree::{Area as Written, Line},
};

// The size of a sheet in spreadsheet programs: `B:B` has all these rows, wherever the last text is.
const LAST_ROW: usize = 1_048_575;
const LAST_COLUMN: usize = 16_383;

/// A cell of one of the sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub sheet: usize,
    pub cell: Cell,
}

/// First and last lines are both within.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub sheet: usize,
    pub columns: [usize; 2],
    pub rows: [usize; 2],
}

impl Area {
    /// `None` if the cells were deleted.
    pub fn new(sheet: usize, written: &Written) -> Option<Self> {
        let sorted = |[one, other]: [Line; 2]| [one.index.min(other.index), one.index.max(other.index)];
        let (columns, rows) = match *written {
            Written::Cell { column, row } => ([column.index; 2], [row.index; 2]),
            Written::Cells { columns, rows } => (sorted(columns), sorted(rows)),
            Written::Columns(columns) => (sorted(columns), [0, LAST_ROW]),
            Written::Rows(rows) => ([0, LAST_COLUMN], sorted(rows)),
            Written::Lost => return None,
        };
        Some(Self { sheet, columns, rows })
    }

    pub fn has(&self, Place { sheet, cell }: Place) -> bool {
        let within = |[first, last]: [usize; 2], line: usize| (first..=last).contains(&line);
        self.sheet == sheet && within(self.rows, cell.row) && within(self.columns, cell.column)
    }

    /// The cell that a formula at `at` means where it needs one value; `None` if there is none.
    pub fn intersection(&self, at: Place) -> Option<Cell> {
        let within = |[first, last]: [usize; 2], line: usize| (first..=last).contains(&line);
        let one = |[first, last]: [usize; 2]| (first == last).then_some(first);
        let is_elsewhere = self.sheet != at.sheet;
        let beside = is_elsewhere && within(self.columns, at.cell.column) && within(self.rows, at.cell.row);
        match (one(self.columns), one(self.rows)) {
            (Some(column), Some(row)) => Some(Cell { row, column }),
            // A row that passes the formula's column, or a column that passes its row.
            (_, Some(row)) if within(self.columns, at.cell.column) => Some(Cell { row, column: at.cell.column }),
            (Some(column), _) if within(self.rows, at.cell.row) && !within(self.columns, at.cell.column) => {
                Some(Cell { row: at.cell.row, column })
            }
            _ => beside.then_some(at.cell),
        }
    }
}
