//! A range of cells: `B2:F40`.

use std::{fmt, ops::Range, str::FromStr};

use serde::{Serialize, Serializer};
use shared_model::{JsonReader, rule::Rule};
use utoipa::{
    PartialSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use super::{cell::Cell, sent};
use crate::limits::SHEET_RANGE_CELLS;

const RANGE_RULE: &str =
    "must be a cell or a range of cells such as B2 or B2:F40, with columns from A to BL and rows from 1 to 2000";
const ORDER_RULE: &str = "must have its upper left cell before the colon and its lower right cell after it";

/// A rectangle of cells: `B2:F40`, or `B2` for one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CellRange {
    first: Cell,
    last: Cell,
}

impl CellRange {
    /// `None` unless `first` is the upper left cell and `last` the lower right one.
    pub fn new(first: Cell, last: Cell) -> Option<Self> {
        (first.row <= last.row && first.column <= last.column).then_some(Self { first, last })
    }

    /// Reads a range, as people send it, of at most [`SHEET_RANGE_CELLS`] cells. `Err` is the broken rule.
    pub fn bounded(text: &str) -> Result<Self, String> {
        // Previews and answers list each cell of a range.
        let range: Self = sent::plain_range(text).parse()?;
        let cells = range.cell_count();
        if cells > SHEET_RANGE_CELLS {
            return Err(format!("must have at most {SHEET_RANGE_CELLS} cells (sheet_range_cells), has {cells}"));
        }
        Ok(range)
    }

    pub fn first(&self) -> Cell {
        self.first
    }

    pub fn last(&self) -> Cell {
        self.last
    }

    pub fn rows(&self) -> Range<usize> {
        self.first.row..self.last.row + 1
    }

    pub fn columns(&self) -> Range<usize> {
        self.first.column..self.last.column + 1
    }

    pub fn cell_count(&self) -> usize {
        self.rows().len() * self.columns().len()
    }

    /// Row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let columns = self.columns();
        self.rows().flat_map(move |row| columns.clone().map(move |column| Cell { row, column }))
    }
}

impl FromStr for CellRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once(':').unwrap_or((text, text));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) => Self::new(first, last).ok_or(ORDER_RULE),
            _ => Err(RANGE_RULE),
        }
    }
}

impl fmt::Display for CellRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last } = self;
        if first == last { first.fmt(f) } else { write!(f, "{first}:{last}") }
    }
}

impl Serialize for CellRange {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

shared_model::text_in_json!(
    CellRange,
    ["A range of cells of a sheet, or one cell: absolute, the upper left cell first."],
    pattern = "^([A-Z]|A[A-Z]|B[A-L])[1-9][0-9]{0,3}(:([A-Z]|A[A-Z]|B[A-L])[1-9][0-9]{0,3})?$",
    example = "B2:C3",
    rule = RANGE_RULE
);

/// A range that [`CellRange::bounded`] accepts, with or without the name of its sheet.
pub struct Bounded;

impl PartialSchema for Bounded {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(200));
        text.description(Some(
            "Cells of a sheet, the upper left one first, 1000 at most: `B2:C3`, or `B2` for one. Also `b2:c3`, `$B$2`, and \
             `Budget!B2` where the sheet is absent or the same.",
        ))
        .pattern(Some("^(.+!)?[$]?[A-Za-z]{1,2}[$]?[1-9][0-9]{0,3}(:[$]?[A-Za-z]{1,2}[$]?[1-9][0-9]{0,3})?$"))
        .examples(["B2:C3"])
        .into()
    }
}

impl Rule for Bounded {
    type Value = CellRange;

    fn read(reader: &JsonReader<'_>) -> Option<CellRange> {
        CellRange::bounded(reader.str()?).map_or_else(|rule| reader.refuse(rule), Some)
    }

    fn schema() -> RefOr<Schema> {
        <Self as PartialSchema>::schema()
    }
}
