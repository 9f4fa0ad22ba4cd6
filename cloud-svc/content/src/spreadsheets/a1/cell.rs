//! A cell: `B2`.

use std::{fmt, str::FromStr};

use serde::{Serialize, Serializer};

use super::column::{COLUMNS, column_of, letters};

/// The most rows of a sheet.
pub const ROWS: usize = 2000;

const CELL_RULE: &str = "must be a cell such as B2, with a column from A to BL and a row from 1 to 2000";

// Orders by row first, so that sets and maps of cells are in reading order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    pub row: usize,
    pub column: usize,
}

/// The row of a number from 1.
pub fn row_of(digits: &str) -> Option<usize> {
    // Seven digits, because formulas may refer to rows beyond our own bound, up to 1048576.
    let is_canonical = (1..=7).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_canonical || digits.starts_with('0') { None } else { digits.parse::<usize>().ok().map(|row| row - 1) }
}

impl FromStr for Cell {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (letters, digits) = text.find(|c: char| c.is_ascii_digit()).map_or((text, ""), |at| text.split_at(at));
        match (column_of(letters), row_of(digits)) {
            (Some(column), Some(row)) if column < COLUMNS && row < ROWS => Ok(Self { row, column }),
            _ => Err(CELL_RULE),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letters(self.column), self.row + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}
