//! The parts of content that have an author, as tables.

use std::ops::Range;

/// A table of parts. Blocks and lines are rows of one column; the cells of a sheet have as many columns as the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub rows: usize,
    pub columns: usize,
}

impl Grid {
    /// Parts one after the other.
    pub fn list(parts: usize) -> Self {
        Self { rows: parts, columns: 1 }
    }

    pub fn parts(self) -> usize {
        self.rows * self.columns
    }
}

/// A rectangle of parts within one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    pub rows: Range<usize>,
    pub columns: Range<usize>,
}

impl Area {
    /// The names of the first and the last part, or of the only one: `b_1:b_4`. `name` takes an index.
    // No id has a colon.
    pub fn named(&self, name: impl Fn(usize) -> String) -> String {
        let Range { start, end } = self.rows;
        if self.rows.len() == 1 { name(start) } else { format!("{}:{}", name(start), name(end - 1)) }
    }
}

/// For each part of the later content, row by row, the index of the part before that it is, unchanged.
pub type Sources = Vec<Option<usize>>;
