//! Plans that are repeated on the result of another plan.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{content, operation as operation_of};
use crate::{
    conflicts::conflicts,
    spreadsheets::content::SpreadsheetContent,
    test_support::plans::{carry_out, rebases},
};

fn operation() -> impl Strategy<Value = Value> {
    let sheet = || "[ST]";
    let cell = || "[A-C][1-4]";
    let line = || 1i64..4;
    prop_oneof![
        6 => (sheet(), cell(), "[xy]?|=[ST]!B2").prop_map(|(sheet, cell, text)| {
            json!({"op": "set_cells", "sheet": sheet, "range": cell, "values": [[text]]})
        }),
        1 => (sheet(), cell()).prop_map(|(sheet, cell)| json!({"op": "clear_range", "sheet": sheet, "range": cell})),
        1 => (sheet(), line()).prop_map(|(sheet, row)| json!({"op": "insert_rows", "sheet": sheet, "row": row, "count": 1})),
        1 => (sheet(), line()).prop_map(|(sheet, row)| json!({"op": "delete_rows", "sheet": sheet, "row": row, "count": 1})),
        1 => (sheet(), "[A-C]").prop_map(|(sheet, column)| {
            json!({"op": "delete_columns", "sheet": sheet, "column": column, "count": 1})
        }),
        1 => (sheet(), "[STU]").prop_map(|(sheet, name)| json!({"op": "rename_sheet", "sheet": sheet, "name": name})),
        1 => sheet().prop_map(|sheet| json!({"op": "delete_sheet", "sheet": sheet})),
        2 => (sheet(), cell(), any::<bool>()).prop_map(|(sheet, cell, wrap)| {
            json!({"op": "set_format", "sheet": sheet, "range": cell, "wrap": wrap})
        }),
        1 => (sheet(), proptest::collection::vec(0i64..9, 0..3)).prop_map(|(sheet, widths)| {
            json!({"op": "set_widths", "sheet": sheet, "widths": widths})
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_rebase_loses_no_change_of_either_side(
        ours in proptest::collection::vec(operation(), 0..5),
        theirs in proptest::collection::vec(operation(), 0..5),
    ) {
        let cells = json!([["a", "b", ""], ["", "=S!A1", "x"], ["y", "", "c"]]);
        let sheets = json!([{"name": "S", "cells": cells}, {"name": "T", "cells": cells}]);
        rebases(&content(&json!({"kind": "sheets", "sheets": sheets, "formats": {"0:1:1": {"wrap": true}}})), ours, theirs)?;
    }
}

#[test]
fn a_formula_that_others_make_stale_or_that_others_edit_is_a_conflict() {
    let base: SpreadsheetContent = content(&json!({"kind": "sheets", "sheets": [
        {"name": "Budget", "cells": [["900"], ["250"], ["=SUM(A1:A2)"]]},
        {"name": "Summary", "cells": [["=Budget!A3", ""], ["", ""]]},
    ]}));
    let insert = json!({"op": "insert_rows", "sheet": "Budget", "row": 3, "count": 1});
    let set =
        |cell: &str, text: &str| json!({"op": "set_cells", "sheet": "Summary", "range": cell, "values": [[text]]});
    let conflicts_of = |ours: &Value, theirs: &Value| -> Vec<String> {
        let operations = [operation_of(ours)];
        let (theirs, _) = carry_out(&base, std::slice::from_ref(theirs)).expect("accepted");
        let edit =
            |content: &SpreadsheetContent| carry_out(content, std::slice::from_ref(ours)).map(|(result, _)| result);
        conflicts(&base, &theirs, &operations, edit).expect("can be repeated").into_iter().collect()
    };
    // The plan rewrites a formula that somebody else has replaced, or one that was not there.
    assert_eq!(conflicts_of(&insert, &set("A1", "=Budget!A2")), ["Summary!A1"]);
    assert_eq!(conflicts_of(&insert, &set("B1", "=Budget!A3")), ["Summary!B1"]);
    // The plan writes a formula that would now refer to another row.
    assert_eq!(conflicts_of(&set("B1", "=budget!A3"), &insert), ["Budget"]);
    // Neither side is concerned by the other.
    assert_eq!(conflicts_of(&insert, &set("B1", "=A1+Budget!A1")), [""; 0]);
    assert_eq!(conflicts_of(&set("B1", "=A1"), &insert), [""; 0]);
}

#[test]
fn a_row_that_has_moved_is_a_conflict_although_the_sheet_is_as_large_as_before() {
    let cells = json!([["rent", "900"], ["food", "250"], ["trips", "250"], ["all", "=SUM(B1:B3)"], ["", ""]]);
    let base: SpreadsheetContent = content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]}));
    // The cell has the same text before and after, and is another one.
    let ours = json!({"op": "set_cells", "sheet": "S", "range": "B3", "values": [["300"]]});
    let conflicts_after = |theirs: &[Value]| -> Vec<String> {
        let theirs = carry_out(&base, theirs).expect("accepted").0;
        let edit =
            |content: &SpreadsheetContent| carry_out(content, std::slice::from_ref(&ours)).map(|(result, _)| result);
        conflicts(&base, &theirs, &[operation_of(&ours)], edit).expect("can be repeated").into_iter().collect()
    };
    let lines = |op: &str, row: usize| json!({"op": format!("{op}_rows"), "sheet": "S", "row": row, "count": 1});
    assert_eq!(conflicts_after(&[lines("insert", 1), lines("delete", 6)]), ["S!B3"]);
    let columns =
        |op: &str, column: &str| json!({"op": format!("{op}_columns"), "sheet": "S", "column": column, "count": 1});
    assert_eq!(conflicts_after(&[columns("insert", "A"), columns("delete", "C")]), ["S!B3"]);
    // A row that is filled like another one has not moved.
    let copy = json!({"op": "set_cells", "sheet": "S", "range": "A5:B5", "values": [["rent", "900"]]});
    assert_eq!(conflicts_after(&[copy]), [""; 0]);
}

#[test]
fn a_sheet_in_which_rows_were_inserted_is_a_conflict_also_if_another_sheet_was_renamed() {
    let base: SpreadsheetContent = content(&json!({"kind": "sheets", "sheets": [
        {"name": "S", "cells": [["rent"], ["food"]]}, {"name": "T", "cells": [[""]]},
    ]}));
    let insert = json!({"op": "insert_rows", "sheet": "S", "row": 1, "count": 1});
    let rename = json!({"op": "rename_sheet", "sheet": "T", "name": "U"});
    let theirs = carry_out(&base, &[insert, rename]).expect("accepted").0;
    let ours = json!({"op": "set_cells", "sheet": "S", "range": "A2", "values": [["trips"]]});
    let edit = |content: &SpreadsheetContent| carry_out(content, std::slice::from_ref(&ours)).map(|(result, _)| result);
    let touched = conflicts(&base, &theirs, &[operation_of(&ours)], edit).expect("can be repeated");
    assert_eq!(touched.into_iter().collect::<Vec<_>>(), ["S!A2"]);
}
