//! Plans that are repeated on the result of another plan.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::content;
use crate::test_support::plans::rebases;

fn operation() -> impl Strategy<Value = Value> {
    let sheet = || "[ST]";
    let cell = || "[A-C][1-4]";
    let line = || 1i64..4;
    prop_oneof![
        6 => (sheet(), cell(), "[xy]?").prop_map(|(sheet, cell, text)| {
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
