//! Addresses there and back.

use proptest::prelude::*;
use serde_json::json;
use shared_model::{json_reader, rule::Rule as _};

use super::{
    cell::{Cell, ROWS},
    column::{COLUMNS, Column, letters},
    range::{Bounded, CellRange},
};

#[test]
fn the_corners_of_the_largest_sheet() {
    assert_eq!("A1".parse(), Ok(Cell { row: 0, column: 0 }));
    assert_eq!("BL2000".parse(), Ok(Cell { row: 1999, column: 63 }));
    assert_eq!(letters(25), "Z");
    assert_eq!(letters(26), "AA");
    assert_eq!(letters(63), "BL");
    assert_eq!(letters(16_383), "XFD");
}

#[test]
fn what_is_no_range_of_a_sheet_is_refused() {
    let texts = "|A|1|A0|A01|a1|$A$1|BM1|A2001|A1:|:A1|A1:B2:C3|A1 |Ａ1|A１|A1:B|A-1|A99999999999999999999|é1|1é|A1;B2|Sheet!A1";
    for text in texts.split('|') {
        assert!(text.parse::<CellRange>().is_err_and(|rule| rule.starts_with("must be a cell or a range")), "{text}");
    }
    for text in ["B2:A1", "A2:A1", "B1:A2"] {
        assert!(
            text.parse::<CellRange>().is_err_and(|rule| rule.starts_with("must have its upper left cell")),
            "{text}"
        );
    }
    for text in ["", "BM", "a", "A1", "AAA", "Ａ", "$A"] {
        assert!(text.parse::<Column>().is_err(), "{text}");
    }
}

#[test]
fn a_range_of_an_operation_is_bounded_and_says_by_which_limit() {
    let read = |text: &str| json_reader::read_with(&json!(text), Bounded::read);
    assert!(read("A1:AX20").is_ok());
    let problems = read("A1:A1001").expect_err("too large");
    assert_eq!(problems[0].rule, "must have at most 1000 cells (sheet_range_cells), has 1001");
    assert!(read("A1:BL2000").is_err());
}

fn cell() -> impl Strategy<Value = Cell> {
    (0..ROWS, 0..COLUMNS).prop_map(|(row, column)| Cell { row, column })
}

proptest! {
    // An address is off by nothing, whatever precedes it.
    #[test]
    fn an_address_names_one_cell_and_a_cell_has_one_address(one in cell(), other in cell()) {
        prop_assert_eq!(one.to_string().parse::<Cell>(), Ok(one));
        prop_assert_eq!(one == other, one.to_string() == other.to_string());
        // The column is a number in base 26 whose digits are A = 1 to Z = 26.
        let text = one.to_string();
        let digits = text.trim_end_matches(|c: char| c.is_ascii_digit()).chars();
        let number = digits.fold(0, |sum, letter| sum * 26 + letter.to_digit(36).expect("a letter") - 9);
        prop_assert_eq!(number as usize, one.column + 1);
    }

    #[test]
    fn a_range_has_exactly_the_cells_between_its_corners(one in cell(), other in cell()) {
        let first = Cell { row: one.row.min(other.row), column: one.column.min(other.column) };
        let last = Cell { row: one.row.max(other.row), column: one.column.max(other.column) };
        let range: CellRange = format!("{first}:{last}").parse().expect("a range");
        prop_assert_eq!(range.to_string().parse::<CellRange>(), Ok(range));
        prop_assert_eq!(range.cells().count(), range.cell_count());
        prop_assert_eq!((range.cells().next(), range.cells().last()), (Some(first), Some(last)));
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,12}|[A-Z$:0-9]{0,12}") {
        if let Ok(range) = text.parse::<CellRange>() {
            prop_assert_eq!(range.to_string().parse::<CellRange>(), Ok(range));
        }
        let _ = text.parse::<Column>();
    }
}
