//! The warnings of plans.

use serde_json::{Value, json};

use super::{content, edit, edited, operation, sheet};
use crate::{content::Content as _, large_deletion::large_deletion, preview::Severity};

fn warnings(value: &Value, operations: &[Value]) -> Value {
    serde_json::to_value(edited(&content(value), operations).1.warnings).expect("JSON")
}

#[test]
fn a_formula_that_is_overwritten_is_warned_of_once_for_each_cell() {
    let value = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["=1", "=2", "=3", "4"]]}]});
    let set = json!({"op": "set_cells", "sheet": "S", "range": "A1:D1", "values": [["x", "=9", "=3", "=5"]]});
    let clear = json!({"op": "clear_range", "sheet": "S", "range": "C1:D1"});
    let warning = |op, place, severity, detail| json!({"code": "formula_overwritten", "op": op, "where": place, "severity": severity, "detail": detail});
    assert_eq!(
        warnings(&value, &[set.clone(), clear]),
        json!([
            warning(0, "S!A1", "medium", "=1"),
            warning(0, "S!B1", "low", "=2"),
            warning(1, "S!C1", "medium", "=3"),
            warning(1, "S!D1", "medium", "=5"),
        ])
    );
    let (_, preview) = edited(&content(&value), &[set]);
    assert_eq!((preview.counts.formulas_overwritten, preview.counts.formulas_added), (2, 1));
}

#[test]
fn a_formula_that_is_written_with_a_lost_reference_is_warned_of() {
    let value = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["=#REF!+1", "=A1", "x"]]}]});
    let values = json!([["=#REF!+2", "=SUM(#REF!)", "=\"#REF!\""]]);
    let set = json!({"op": "set_cells", "sheet": "S", "range": "A1:C1", "values": values});
    let warning = |code, place, severity, detail| json!({"code": code, "op": 0, "where": place, "severity": severity, "detail": detail});
    assert_eq!(
        warnings(&value, &[set]),
        json!([
            warning("formula_overwritten", "S!A1", "low", "=#REF!+1"),
            warning("formula_overwritten", "S!B1", "low", "=A1"),
            warning("formula_reference_lost", "S!B1", "high", "=SUM(#REF!)"),
        ])
    );
}

#[test]
fn a_written_cell_that_breaks_its_rule_is_warned_of() {
    let value = json!({
        "kind": "sheets",
        "sheets": [{"name": "S", "cells": [["x", "x", "x", "x", "x", "x"]]}],
        "validation": {
            "0:0:0": {"type": "number"}, "0:0:1": {"type": "number"},
            "0:0:2": {"type": "number"}, "0:0:3": {"type": "number"},
            "0:0:4": {"type": "list", "values": ["yes"]}, "0:0:5": {"type": "list", "values": ["yes"]},
        },
    });
    let values = json!([["12", "twelve", "", "=A1", "yes", "no"]]);
    let set = json!({"op": "set_cells", "sheet": "S", "range": "A1:F1", "values": values});
    let warning = |place, detail| json!({"code": "validation_violated", "op": 0, "where": place, "severity": "medium", "detail": detail});
    assert_eq!(
        warnings(&value, &[set]),
        json!([warning("S!B1", "must be a number"), warning("S!F1", "must be one of the listed values")])
    );
}

#[test]
fn other_text_in_most_cells_is_a_large_deletion() {
    let column = |texts: &[&str]| texts.iter().map(|text| json!([text])).collect::<Vec<_>>();
    let before = sheet(&json!(column(&["x"; 40])));
    let severity = |operations: &[Value]| {
        let (later, _) = edit(&before, operations).expect("accepted");
        let edits: Vec<_> = operations.iter().map(operation).collect();
        let severity = |edits| large_deletion(&before, &later, edits).map(|warning| warning.severity);
        // A draft or an earlier version has no edits, and the same gate.
        assert_eq!(severity(Some(&edits)), severity(None));
        severity(Some(&edits))
    };
    let set = |count: usize| {
        let (range, values) = (format!("A1:A{count}"), column(&vec!["0"; count]));
        json!({"op": "set_cells", "sheet": "S", "range": range, "values": values})
    };
    assert_eq!(severity(&[set(40)]), Some(Severity::High));
    assert_eq!(severity(&[set(21)]), Some(Severity::High));
    assert_eq!(severity(&[set(20)]), None, "half of them");
    let insert = json!({"op": "insert_rows", "sheet": "S", "row": 1, "count": 1});
    assert_eq!(severity(std::slice::from_ref(&insert)), None, "moved cells are there");
    let numbers: Vec<_> = (0..40).map(|row| json!([row.to_string(), format!("=A{}", row + 1)])).collect();
    let numbered = sheet(&json!(numbers));
    let severity = |operation: Value| {
        let (later, _) = edit(&numbered, std::slice::from_ref(&operation)).expect("accepted");
        let edits = [self::operation(&operation)];
        [Some(&edits[..]), None].map(|edits| large_deletion(&numbered, &later, edits).map(|warning| warning.severity))
    };
    let sorted: Vec<_> = (0..40).rev().map(|row| json!([row.to_string()])).collect();
    let sort = json!({"op": "set_cells", "sheet": "S", "range": "A1:A40", "values": sorted});
    assert_eq!(severity(sort), [None, None], "sorted cells are there");
    assert_eq!(severity(insert), [None, None], "formulas that follow their cells are there");
}

#[test]
fn text_in_other_cells_does_not_make_up_for_deleted_text() {
    let before = sheet(&json!([["a", "b", "c"], ["d", "e", ""]]));
    let deleted = |operations: &[Value]| {
        let (later, _) = edit(&before, operations).expect("accepted");
        let edits: Vec<_> = operations.iter().map(operation).collect();
        [before.deleted_parts(&later, Some(&edits)).gone, before.deleted_parts(&later, None).gone]
    };
    let set = |range: &str, values: Value| json!({"op": "set_cells", "sheet": "S", "range": range, "values": values});
    let clear = json!({"op": "clear_range", "sheet": "S", "range": "A1:C1"});
    let filler = set("A4:C4", json!([["x", "y", "z"]]));
    assert_eq!(deleted(&[clear.clone(), filler.clone()]), [3, 3]);
    assert_eq!(deleted(&[filler, clear.clone(), set("A1", json!([["again"]]))]), [2, 2]);
    assert_eq!(deleted(&[set("A1:B1", json!([["A", "B"]]))]), [0, 0], "other text is no deletion");
    assert_eq!(deleted(&[set("A1:B1", json!([[" ", "  "]]))]), [2, 2], "blanks are no text");
    let delete_row = json!({"op": "delete_rows", "sheet": "S", "row": 1, "count": 1});
    let insert_row = json!({"op": "insert_rows", "sheet": "S", "row": 1, "count": 1});
    assert_eq!(deleted(std::slice::from_ref(&delete_row))[0], 3);
    assert_eq!(deleted(std::slice::from_ref(&insert_row))[0], 0, "moved cells are there");
    assert_eq!(deleted(&[insert_row, delete_row])[0], 0);
    let rename = json!({"op": "rename_sheet", "sheet": "S", "name": "T"});
    assert_eq!(deleted(&[rename])[0], 0);
}

#[test]
fn a_reference_is_lost_only_where_more_formulas_lack_one() {
    let book = |name: &str, rows: &[&str]| {
        let cells: Vec<_> = rows.iter().map(|cell| [cell]).collect();
        content(&json!({"kind": "sheets", "sheets": [{"name": name, "cells": cells}]}))
    };
    let before = book("S", &["1", "=A1+#REF!", "=A1"]);
    for (name, rows) in
        [("Renamed", ["1", "=A1+#REF!", "=A1"]), ("S", ["", "1", "=A2+#REF!"]), ("S", ["2", "3", "=A1"])]
    {
        assert!(!before.loses_references(&book(name, &rows)), "{rows:?}");
    }
    assert!(before.loses_references(&book("S", &["1", "=A1+#REF!", "=#REF!"])));
}
