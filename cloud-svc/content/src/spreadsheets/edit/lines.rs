//! Rows or columns, which operations treat alike.

use crate::spreadsheets::{
    a1::{
        cell::ROWS,
        column::{COLUMNS, letters},
    },
    content::sheet::Sheet,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    Rows,
    Columns,
}

impl Lines {
    pub fn of(self, sheet: &Sheet) -> usize {
        match self {
            Self::Rows => sheet.rows(),
            Self::Columns => sheet.columns(),
        }
    }

    pub fn most(self) -> usize {
        match self {
            Self::Rows => ROWS,
            Self::Columns => COLUMNS,
        }
    }

    /// The JSON pointer of the first line in the operation, and the plural.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Rows => ("/row", "rows"),
            Self::Columns => ("/column", "columns"),
        }
    }

    /// The line as a person names it.
    pub fn name(self, line: usize) -> String {
        match self {
            Self::Rows => (line + 1).to_string(),
            Self::Columns => letters(line),
        }
    }
}
