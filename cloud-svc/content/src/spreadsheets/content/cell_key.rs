//! The keys of formats, validation and widths: indices of sheets, rows and columns.

use std::{fmt, str::FromStr};

use serde::{Serialize, Serializer};

use crate::spreadsheets::a1::cell::Cell;

pub const CELL_RULE: &str =
    "must be named sheet:row:column, each an index from 0 in at most nine digits without leading zeros";
pub const SHEET_RULE: &str =
    "must be named by the index of a sheet, from 0 in at most nine digits without leading zeros";

// Nine digits.
const MAX: usize = 999_999_999;

/// `0:1:2` is the first sheet, row 2, column C. The cell need not be within the sheet.
// Numbers and not text: as text, key `0:10:0` would sort before `0:2:0`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellKey {
    pub sheet: usize,
    pub cell: Cell,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SheetKey(pub usize);

impl CellKey {
    pub fn is_writable(&self) -> bool {
        self.sheet.max(self.cell.row).max(self.cell.column) <= MAX
    }
}

impl SheetKey {
    pub fn is_writable(&self) -> bool {
        self.0 <= MAX
    }
}

// One spelling for an index: `01` and `1` as keys would be two entries for one cell.
fn index(digits: &str) -> Result<usize, ()> {
    let is_canonical = (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let has_zeros = digits.len() > 1 && digits.starts_with('0');
    if is_canonical && !has_zeros { digits.parse().map_err(|_| ()) } else { Err(()) }
}

impl FromStr for CellKey {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.split(':');
        let mut next = || index(parts.next().ok_or(())?);
        let (sheet, row, column) = (next()?, next()?, next()?);
        if parts.next().is_some() { Err(()) } else { Ok(Self { sheet, cell: Cell { row, column } }) }
    }
}

impl fmt::Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sheet, cell: Cell { row, column } } = self;
        write!(f, "{sheet}:{row}:{column}")
    }
}

impl Serialize for CellKey {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

shared_model::text_in_json!(
    CellKey,
    ["A cell: the indices of its sheet, row and column, each from 0."],
    pattern = "^(0|[1-9][0-9]{0,8}):(0|[1-9][0-9]{0,8}):(0|[1-9][0-9]{0,8})$",
    example = "0:1:2",
    rule = CELL_RULE
);

impl FromStr for SheetKey {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        index(text).map(Self)
    }
}

impl fmt::Display for SheetKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for SheetKey {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

shared_model::text_in_json!(
    SheetKey,
    ["The index of a sheet, from 0."],
    pattern = "^(0|[1-9][0-9]{0,8})$",
    example = "0",
    rule = SHEET_RULE
);
