//! Comments stay with the cells that they are about.

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::json_reader;

use super::{content, edit, operation, sheet};
use crate::{
    anchor::Anchor,
    content::Content as _,
    spreadsheets::{a1::range::CellRange, content::SpreadsheetContent},
};

fn anchor(range: &str) -> Anchor {
    json_reader::read(&json!({"range": range})).expect("an anchor")
}

fn shifted(value: &Value, range: &str) -> String {
    SpreadsheetContent::shift_anchor(&[operation(value)], anchor(range)).range.expect("a range")
}

#[test]
fn an_anchor_names_cells_that_are_there() {
    let workbook = content(&json!({"kind": "sheets", "sheets": [
        {"name": "S", "cells": [["", ""], ["", ""]]}, {"name": "a!b", "cells": [[""]]},
    ]}));
    for range in ["S!A1", "S!A1:B2", "S!B2", "a!b!A1"] {
        assert!(workbook.has_anchor(&anchor(range)), "{range}");
    }
    for range in
        ["S!C1", "S!A3", "S!A1:C2", "s!A1", "T!A1", "A1", "S", "S!", "!A1", "S!$A$1", "S!#REF!", "#REF!", "'S'!A1"]
    {
        assert!(!workbook.has_anchor(&anchor(range)), "{range}");
    }
    assert!(workbook.has_anchor(&Anchor::default()));
    let block: Anchor = json_reader::read(&json!({"block_id": "b"})).expect("an anchor");
    assert!(!workbook.has_anchor(&block));
}

#[test]
fn an_anchor_follows_its_sheet() {
    let rename = |name: &str| json!({"op": "rename_sheet", "sheet": "S", "name": name});
    assert_eq!(shifted(&rename("Plan"), "S!A1:B2"), "Plan!A1:B2");
    assert_eq!(shifted(&rename("Plan"), "T!A1:B2"), "T!A1:B2");
    let delete = json!({"op": "delete_sheet", "sheet": "S"});
    assert_eq!(shifted(&delete, "S!A1"), "S!#REF!");
    assert_eq!(shifted(&delete, "T!A1"), "T!A1");
    // A range has 30 characters at most.
    assert_eq!(shifted(&rename(&"a".repeat(27)), "S!A1"), format!("{}!A1", "a".repeat(27)));
    assert_eq!(shifted(&rename(&"a".repeat(28)), "S!A1"), "S!#REF!");
    let long = "a".repeat(27);
    assert_eq!(shifted(&json!({"op": "delete_sheet", "sheet": long}), &format!("{long}!A1")), "#REF!");
}

#[test]
fn a_lost_anchor_stays_lost() {
    let delete = json!({"op": "delete_rows", "sheet": "S", "row": 1, "count": 2});
    let lost = shifted(&delete, "S!A1:B2");
    assert_eq!(lost, "S!#REF!");
    assert!(!sheet(&json!([["", ""], ["", ""], ["", ""]])).has_anchor(&anchor(&lost)));
    let insert = json!({"op": "insert_rows", "sheet": "S", "row": 1, "count": 2});
    assert_eq!(shifted(&insert, &lost), lost);
}

proptest! {
    /// Every cell has a text of its own, and so it is known where each cell goes.
    #[test]
    fn an_anchor_spans_what_is_left_of_its_cells(
        rows in 1usize..6, columns in 1usize..6, at in 0usize..6, count in 1usize..4,
        corners in (0usize..6, 0usize..6, 0usize..6, 0usize..6), kind in 0usize..4,
    ) {
        let line = |row| (0..columns).map(|column| format!("{row}/{column}")).collect();
        let cells: Vec<Vec<String>> = (0..rows).map(line).collect();
        let before = sheet(&json!(cells));
        let (top, bottom) = (corners.0.min(corners.1) % rows, corners.0.max(corners.1) % rows);
        let (left, right) = (corners.2.min(corners.3) % columns, corners.2.max(corners.3) % columns);
        prop_assume!(top <= bottom && left <= right);
        let letter = |column: usize| char::from(b'A' + u8::try_from(column).expect("small"));
        let named = anchor(&format!("S!{}{}:{}{}", letter(left), top + 1, letter(right), bottom + 1));
        let value = match kind {
            0 => json!({"op": "insert_rows", "sheet": "S", "row": at + 1, "count": count}),
            1 => json!({"op": "delete_rows", "sheet": "S", "row": at + 1, "count": count}),
            2 => json!({"op": "insert_columns", "sheet": "S", "column": letter(at).to_string(), "count": count}),
            _ => json!({"op": "delete_columns", "sheet": "S", "column": letter(at).to_string(), "count": count}),
        };
        let after = edit(&before, std::slice::from_ref(&value));
        prop_assume!(after.is_ok());
        let (after, _) = after.expect("accepted");
        let later = SpreadsheetContent::shift_anchor(&[operation(&value)], named);

        let mut left_over = Vec::new();
        for (row, texts) in after.sheets[0].cells.iter().enumerate() {
            for (column, text) in texts.iter().enumerate() {
                let Some((old_row, old_column)) = text.split_once('/') else { continue };
                let within = |old: &str, first, last| (first..=last).contains(&old.parse::<usize>().expect("a number"));
                if within(old_row, top, bottom) && within(old_column, left, right) {
                    left_over.push((row, column));
                }
            }
        }
        prop_assert_eq!(after.has_anchor(&later), !left_over.is_empty());
        if let (Some(first), Some(last)) = (left_over.first(), left_over.last()) {
            let text = later.range.expect("a range");
            let range: CellRange = text.strip_prefix("S!").expect("the sheet").parse().expect("a range");
            prop_assert_eq!((range.first().row, range.first().column), *first);
            prop_assert_eq!((range.last().row, range.last().column), *last);
        }
    }
}

#[test]
fn what_is_written_between_protected_cells_touches_them() {
    let before = sheet(&json!([["a", "1"], ["b", "2"], ["c", "3"]]));
    let touches = |operations: &[Value], range: &str| {
        let (later, _) = edit(&before, operations).expect("accepted");
        let edits: Vec<_> = operations.iter().map(operation).collect();
        !crate::protection::touched(&before, &later, Some(&edits), &[anchor(range)]).is_empty()
    };
    let row = |row: usize| json!({"op": "insert_rows", "sheet": "S", "row": row, "count": 1});
    let set = |cell: &str, text: &str| json!({"op": "set_cells", "sheet": "S", "range": cell, "values": [[text]]});
    assert!(!touches(&[row(2)], "S!B1:B3"), "an empty row");
    assert!(touches(&[row(2), set("B2", "99")], "S!B1:B3"));
    assert!(!touches(&[row(2), set("B2", "99"), set("B2", "")], "S!B1:B3"), "it is empty again");
    assert!(!touches(&[row(2), set("A2", "x")], "S!B1:B3"), "beside it");
    assert!(!touches(&[row(1), set("B1", "x")], "S!B1:B3"), "above it");
    assert!(!touches(&[set("B5", "x")], "S!B1:B9"), "below the cells that are there");
    let rename = json!({"op": "rename_sheet", "sheet": "S", "name": "T"});
    let set_in_t = json!({"op": "set_cells", "sheet": "T", "range": "B3", "values": [["99"]]});
    assert!(touches(&[row(3), rename, set_in_t], "S!B1:B3"));
    let column = json!({"op": "insert_columns", "sheet": "S", "column": "B", "count": 1});
    assert!(touches(&[column.clone(), set("B2", "99")], "S!A1:B3"));
    assert!(!touches(&[column, set("B2", "99")], "S!B1:B3"));
}

#[test]
fn a_protected_place_that_an_edit_loses_is_touched() {
    let before = content(&json!({"kind": "sheets", "sheets": [
        {"name": "Budget", "cells": [["a", "b"], ["c", "d"]]}, {"name": "Other", "cells": [["e"]]},
    ]}));
    let touched = |operations: &[Value], range: &str| {
        let (later, _) = edit(&before, operations).expect("accepted");
        let edits: Vec<_> = operations.iter().map(operation).collect();
        let places = [anchor(range)];
        [Some(&*edits), None].map(|edits| !crate::protection::touched(&before, &later, edits, &places).is_empty())
    };
    let rename = |name: &str| json!({"op": "rename_sheet", "sheet": "Budget", "name": name});
    assert_eq!(touched(&[rename("Plan")], "Budget!B2"), [false, true]);
    // Longer than an anchor may be: nobody protects the cell after it.
    assert_eq!(touched(&[rename("Budget of this year and of the next")], "Budget!B2"), [true, true]);
    assert_eq!(touched(&[rename("Budget of this year and of the next")], "Budget!A1:B9"), [true, true]);
    let set = |sheet: &str, range: &str| json!({"op": "set_cells", "sheet": sheet, "range": range, "values": [["x"]]});
    assert_eq!(touched(&[set("Budget", "B2")], "Budget!B2"), [true, true]);
    // Without operations any change of the sheet may have moved the cell.
    assert_eq!(touched(&[set("Budget", "A1")], "Budget!B2"), [false, true]);
    assert_eq!(touched(&[set("Other", "A1")], "Budget!B2"), [false, false]);
    assert_eq!(touched(&[set("Budget", "A1")], "Budget!Z9"), [false, false], "a place that is not there");
    assert_eq!(touched(&[set("Budget", "A1")], "Budget!A1:B9"), [true, true], "some of it is there");
}
