//! Whatever the text, reading an address does not panic. One that is read is printed so that it is read as the same.

use crate::text::text;
use cloud_content::spreadsheets::a1::{column::Column, range::CellRange};

pub fn run(bytes: &[u8]) {
    let text = text(bytes);
    if let Ok(range) = text.parse::<CellRange>() {
        assert_eq!(range.to_string().parse(), Ok(range));
        assert!(range.first().row <= range.last().row && range.first().column <= range.last().column);
        assert_eq!(CellRange::bounded(text).is_ok(), range.cell_count() <= 1000);
    }
    if let Ok(column) = text.parse::<Column>() {
        assert_eq!(column.to_string(), text);
    }
}
