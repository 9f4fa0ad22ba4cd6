//! Copies of cells along a range.

use serde_json::{Value, json};

use super::{changes, content, edit, edited, operation, problems, refusal, sheet};
use crate::{anchor::Anchor, content::Content as _};

fn fill(from: &str, range: &str) -> Value {
    json!({"op": "fill", "sheet": "S", "from": from, "range": range})
}

fn cells(before: Value, operation: Value) -> Value {
    edited(&sheet(&before), &[operation]).0["sheets"][0]["cells"].take()
}

#[test]
fn relative_references_move_and_absolute_ones_stay() {
    let formula = "=B1*C$1+$B1&\"B1\"+SUM($B$1:B1,B:B,$1:1)";
    assert_eq!(
        cells(json!([[formula, "2", "3"], ["", "", ""]]), fill("A1", "A1:B2")),
        json!([
            [formula, "=C1*D$1+$B1&\"B1\"+SUM($B$1:C1,C:C,$1:1)", "3"],
            ["=B2*C$1+$B2&\"B1\"+SUM($B$1:B2,B:B,$1:2)", "=C2*D$1+$B2&\"B1\"+SUM($B$1:C2,C:C,$1:2)", ""],
        ])
    );
}

#[test]
fn rows_and_columns_are_copied_as_often_as_they_fit() {
    assert_eq!(
        cells(json!([["a", "=A1"], ["", ""], ["", ""]]), fill("A1:B1", "A2:B3")),
        json!([["a", "=A1"], ["a", "=A2"], ["a", "=A3"]])
    );
    assert_eq!(
        cells(json!([["1", "", ""], ["=A1", "", ""]]), fill("A1:A2", "B1:C2")),
        json!([["1", "1", "1"], ["=A1", "=B1", "=C1"]])
    );
    assert_eq!(
        cells(json!([["1"], ["=A1"]]), fill("A1:A2", "A1:A6")),
        json!([["1"], ["=A1"], ["1"], ["=A3"], ["1"], ["=A5"]])
    );
    // A copy of cells beyond the sheet empties.
    assert_eq!(cells(json!([["1"]]), fill("A9", "A1")), json!([[""]]));
    let workbook = sheet(&json!([["1"]]));
    for (from, range) in [("A1:A2", "B1:B3"), ("A1:B1", "A2:A3"), ("A1:B2", "C1:D3")] {
        assert_eq!(
            refusal(&workbook, &fill(from, range)),
            ("invalid_field", vec!["/operations/0/range".to_owned()]),
            "{from} to {range}"
        );
    }
    assert_eq!(problems(&fill("A1", "A1:B1000")), ["/range"]);
}

#[test]
fn each_copy_is_a_change_and_a_reference_beyond_the_sheet_is_lost() {
    let (after, preview) = edited(&sheet(&json!([["x", ""], ["", "=A1+$A$1"]])), &[fill("B2", "A1:B1")]);
    assert_eq!(after["sheets"][0]["cells"], json!([["=#REF!+$A$1", "=#REF!+$A$1"], ["", "=A1+$A$1"]]));
    assert_eq!(
        changes(&preview),
        json!([
            {"op": 0, "kind": "replace", "sheet": "S", "cell": "A1", "before": "x", "after": "=#REF!+$A$1"},
            {"op": 0, "kind": "replace", "sheet": "S", "cell": "B1", "before": "", "after": "=#REF!+$A$1"},
        ])
    );
    let warning = |place: &str| json!({"code": "formula_reference_lost", "op": 0, "where": place, "severity": "high", "detail": "=A1+$A$1"});
    assert_eq!(serde_json::to_value(&preview.warnings).expect("JSON"), json!([warning("S!A1"), warning("S!B1")]));
    let last = sheet(&json!([["=A1048576+XFD1"]]));
    assert_eq!(edited(&last, &[fill("A1", "B2")]).0["sheets"][0]["cells"][1][1], json!("=#REF!+#REF!"));
}

#[test]
fn a_reference_that_was_lost_before_is_not_lost_again() {
    let workbook = sheet(&json!([["=#REF!", "", "=#REF!+1"]]));
    let (_, preview) = edited(&workbook, &[fill("A1", "A1:C1")]);
    let lost = preview.warnings.iter().filter(|warning| warning.code.as_str() == "formula_reference_lost");
    assert_eq!(lost.map(|warning| warning.place.as_str()).collect::<Vec<_>>(), ["S!B1"]);
}

#[test]
fn the_cell_that_is_copied_is_not_changed() {
    let before = sheet(&json!([["1", ""], ["=A1", ""]]));
    let operations = [json!({"op": "insert_rows", "sheet": "S", "row": 1, "count": 1}), fill("A3", "A3:B3")];
    let (later, _) = edit(&before, &operations).expect("accepted");
    assert_eq!(later.sheets[0].cells[2], ["=A2", "=B2"]);
    let edits = operations.each_ref().map(operation);
    let places = ["S!A2", "S!B2"].map(|range| Anchor { range: Some(range.to_owned()), ..Anchor::default() });
    assert_eq!(before.changes_at(&later, Some(&edits), &places), [false, true]);
}

#[test]
fn what_may_not_be_written_may_not_be_copied() {
    let workbook = sheet(&json!([["=NOW()", ""]]));
    assert_eq!(
        refusal(&workbook, &fill("A1", "A1:B1")),
        ("formula_not_allowed", vec!["/operations/0/from".to_owned()])
    );
    // Onto itself it changes nothing.
    assert!(edit(&workbook, &[fill("A1", "A1")]).expect("accepted").1.changes.is_empty());
    let long = format!("=A9&\"{}\"", "x".repeat(9_994));
    let workbook = content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [[long]]}]}));
    assert_eq!(refusal(&workbook, &fill("A1", "A2")), ("invalid_field", vec!["/operations/0/range".to_owned()]));
}
