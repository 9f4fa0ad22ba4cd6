//! What a plan touches, as a rebase asks for it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{content, edit, sheet};
use crate::{content::Content as _, preview::ChangeKind, spreadsheets::content::SpreadsheetContent};

fn workbook() -> SpreadsheetContent {
    content(&json!({
        "kind": "sheets",
        "sheets": [{"name": "S", "cells": [["a", "b"], ["c", "d"]]}, {"name": "T", "cells": [["t"]]}],
        "formats": {"0:0:0": {"wrap": true}, "1:0:0": {"wrap": true}},
    }))
}

fn touched(operations: &[Value]) -> Vec<String> {
    let before = workbook();
    let (after, _) = edit(&before, operations).expect("accepted");
    before.differences(&after).into_iter().collect()
}

#[test]
fn cells_differ_by_text_format_and_rule_and_sheets_by_dimension_name_order_and_widths() {
    assert_eq!(
        touched(&[json!({"op": "set_cells", "sheet": "S", "range": "A1:B1", "values": [["a", "x"]]})]),
        ["S!B1"]
    );
    assert_eq!(touched(&[json!({"op": "set_format", "sheet": "S", "range": "A1:B1", "wrap": true})]), ["S!B1"]);
    assert_eq!(touched(&[json!({"op": "set_format", "sheet": "S", "range": "C9", "wrap": true})]), ["S!C9"]);
    let rule = json!({"type": "number"});
    assert_eq!(touched(&[json!({"op": "set_validation", "sheet": "T", "range": "A1", "rule": rule})]), ["T!A1"]);
    assert_eq!(touched(&[json!({"op": "set_widths", "sheet": "T", "widths": [5]})]), ["T"]);
    // The formats that move are of cells of the sheet, too.
    assert_eq!(touched(&[json!({"op": "insert_rows", "sheet": "S", "row": 1, "count": 1})]), ["S", "S!A1", "S!A2"]);
    assert_eq!(touched(&[json!({"op": "set_cells", "sheet": "T", "range": "B1", "values": [["x"]]})]), ["T"]);
    assert_eq!(touched(&[json!({"op": "rename_sheet", "sheet": "T", "name": "U"})]), ["T", "U"]);
    assert_eq!(touched(&[json!({"op": "delete_sheet", "sheet": "T"})]), ["T"]);
    let t = json!({"op": "add_sheet", "name": "T", "cells": [["t"]], "index": 0});
    assert_eq!(touched(&[json!({"op": "delete_sheet", "sheet": "T"}), t]), ["T", "T!A1"]);
    // What the others have is theirs under another index.
    assert_eq!(touched(&[json!({"op": "add_sheet", "name": "U", "cells": [[""]], "index": 0})]), ["U"]);
    let twice = json!({"op": "set_cells", "sheet": "S", "range": "A1", "values": [["x"]]});
    let back = json!({"op": "set_cells", "sheet": "S", "range": "A1", "values": [["a"]]});
    assert_eq!(touched(&[twice, back]), [""; 0]);
}

#[test]
fn messages_name_sheets_by_their_numbers() {
    let workbook = workbook();
    let named = ["S", "T!A1", "U", "U!B2", "S!x"].map(|key| workbook.key_in_message(key));
    assert_eq!(named, ["sheet 1", "A1 of sheet 2", "a missing sheet", "B2 of a missing sheet", "a missing sheet"]);
    let like_a_cell = content(&json!({"kind": "sheets", "sheets": [{"name": "S!B2", "cells": [["a"]]}]}));
    assert_eq!(like_a_cell.key_in_message("S!B2"), "sheet 1");
}

/// Writes of cells within a sheet of five rows and five columns.
fn writes() -> impl Strategy<Value = Vec<Value>> {
    let write = (1u8..=5, 1u8..=5, 0u8..5, 0u8..5, any::<bool>(), "[a-c]?|=A1").prop_map(
        |(row, other, column, further, clears, text)| {
            let (top, bottom) = (row.min(other), row.max(other));
            let (left, right) = (column.min(further), column.max(further));
            let range = format!("{}{top}:{}{bottom}", char::from(b'A' + left), char::from(b'A' + right));
            let values = vec![vec![text; usize::from(right - left) + 1]; usize::from(bottom - top) + 1];
            if clears {
                json!({"op": "clear_range", "sheet": "S", "range": range})
            } else {
                json!({"op": "set_cells", "sheet": "S", "range": range, "values": values})
            }
        },
    );
    proptest::collection::vec(write, 0..5)
}

proptest! {
    #[test]
    fn cells_that_no_operation_names_are_the_same_to_the_byte(
        texts in proptest::collection::vec("\\PC{0,4}|=NOW\\(\\)", 25), operations in writes(),
    ) {
        let before = sheet(&json!(texts.chunks_exact(5).collect::<Vec<_>>()));
        let (after, preview) = edit(&before, &operations).expect("accepted");
        let names = |row: usize, column: usize| operations.iter().any(|value| {
            let range = value["range"].as_str().expect("a range").as_bytes();
            let (left, top, right, bottom) = (range[0] - b'A', range[1] - b'1', range[3] - b'A', range[4] - b'1');
            (usize::from(top)..=usize::from(bottom)).contains(&row)
                && (usize::from(left)..=usize::from(right)).contains(&column)
        });
        let mut differing = Vec::new();
        for row in 0..5 {
            for column in 0..5 {
                let (old, new) = (&before.sheets[0].cells[row][column], &after.sheets[0].cells[row][column]);
                prop_assert!(names(row, column) || old == new);
                if old != new {
                    differing.push(format!("S!{}{}", char::from(b"ABCDE"[column]), row + 1));
                }
            }
        }
        differing.sort();
        prop_assert_eq!(before.differences(&after).into_iter().collect::<Vec<_>>(), differing);
        // Each change says what was there and what will be, one after the other.
        let mut replayed = before.sheets[0].cells.clone();
        for change in &preview.changes {
            prop_assert_eq!(change.kind, ChangeKind::Replace);
            let cell = change.place.cell.as_deref().expect("a cell").as_bytes();
            let text = &mut replayed[usize::from(cell[1] - b'1')][usize::from(cell[0] - b'A')];
            let said = |value: &Option<Box<serde_json::value::RawValue>>| -> String {
                serde_json::from_str(value.as_deref().expect("a text").get()).expect("a text")
            };
            prop_assert_eq!(&*text, &said(&change.before));
            *text = said(&change.after);
        }
        prop_assert_eq!(&replayed, &after.sheets[0].cells);
    }
}
