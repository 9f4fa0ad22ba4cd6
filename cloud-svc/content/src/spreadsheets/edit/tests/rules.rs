//! Operation by operation.

use serde_json::json;

use super::{changes, content, edit, edited, problems, refusal, refused, sheet};
use crate::spreadsheets::content::SpreadsheetContent;

/// Two sheets with something of everything.
fn workbook() -> SpreadsheetContent {
    content(&json!({
        "kind": "sheets",
        "sheets": [
            {"name": "S", "cells": [["a", "b", "c"], ["d", "e", "f"], ["g", "h", "=NOW()"]]},
            {"name": "T", "cells": [["t"]]},
        ],
        "formats": {"0:0:0": {"align": "left"}, "0:1:1": {"wrap": true}, "0:2:2": {"align": "right"}, "1:0:0": {}},
        "validation": {"0:1:0": {"type": "number"}, "1:1:1": {"type": "number"}},
        "widths": [[10, 20, 30], [40]],
    }))
}

#[test]
fn each_changed_cell_is_one_change_and_equal_values_are_none() {
    let set = json!({"op": "set_cells", "sheet": "S", "range": "B1:C2", "values": [["b", "=A1"], ["", "f"]]});
    let (after, preview) = edited(&workbook(), &[set]);
    assert_eq!(after["sheets"][0]["cells"], json!([["a", "b", "=A1"], ["d", "", "f"], ["g", "h", "=NOW()"]]));
    assert_eq!(
        changes(&preview),
        json!([
            {"op": 0, "kind": "replace", "sheet": "S", "cell": "C1", "before": "c", "after": "=A1"},
            {"op": 0, "kind": "replace", "sheet": "S", "cell": "B2", "before": "e", "after": ""},
        ])
    );
    assert_eq!((preview.counts.cells_changed, preview.counts.formulas_added), (2, 1));
}

#[test]
fn values_have_the_shape_of_the_range() {
    let set = |values| json!({"op": "set_cells", "sheet": "S", "range": "A1:B2", "values": values});
    assert_eq!(problems(&set(json!([["", ""]]))), ["/values"]);
    assert_eq!(problems(&set(json!([["", ""], [""]]))), ["/values/1"]);
    assert_eq!(
        problems(&set(json!([["", [1]], ["", "", ""], []]))),
        ["/values/0/1", "/values/2", "/values", "/values/1", "/values/2"]
    );
    assert_eq!(
        problems(&json!({"op": "set_cells", "sheet": "S", "range": "A1:BL16", "values": [[""]]})),
        ["/range", "/values", "/values/0"]
    );
}

#[test]
fn a_sheet_grows_as_far_as_there_is_text() {
    let set = |range: &str, values| json!({"op": "set_cells", "sheet": "S", "range": range, "values": values});
    let one = sheet(&json!([["a"]]));
    let (after, preview) = edited(&one, &[set("B2:C4", json!([["", ""], ["x", ""], ["", ""]]))]);
    assert_eq!(after["sheets"][0]["cells"], json!([["a", ""], ["", ""], ["", "x"]]));
    assert_eq!(
        changes(&preview),
        json!([{"op": 0, "kind": "insert", "sheet": "S", "cell": "B3", "before": null, "after": "x"}])
    );
    let (after, preview) = edit(&one, &[set("B2:C3", json!([["", ""], ["", ""]]))]).expect("accepted");
    assert_eq!(after, one);
    assert!(preview.changes.is_empty());
    let (after, _) = edited(&one, &[set("BL2000", json!([["x"]]))]);
    assert_eq!(after["sheets"][0]["cells"][1999].as_array().map(Vec::len), Some(64));
}

#[test]
fn a_workbook_does_not_grow_beyond_what_its_json_may_take() {
    let mut operations = vec![json!({"op": "set_cells", "sheet": "S", "range": "BL2000", "values": [["x"]]})];
    for name in ["T", "U"] {
        operations.push(json!({"op": "add_sheet", "name": name, "cells": [[""]]}));
        operations.push(json!({"op": "insert_rows", "sheet": name, "row": 1, "count": 1999}));
    }
    let (grown, _) = edit(&sheet(&json!([["a"]])), &operations).expect("accepted");
    let columns = |sheet: &str| json!({"op": "insert_columns", "sheet": sheet, "column": "A", "count": 63});
    let (grown, _) = edit(&grown, &[columns("T")]).expect("accepted");
    assert_eq!(refusal(&grown, &columns("U")), ("invalid_field", vec!["/operations/0/count".to_owned()]));
    let set = json!({"op": "set_cells", "sheet": "U", "range": "BL1", "values": [["x"]]});
    assert_eq!(refusal(&grown, &set), ("invalid_field", vec!["/operations/0/range".to_owned()]));
    let add = json!({"op": "add_sheet", "name": "V", "cells": vec![vec![""; 64]; 2000]});
    assert_eq!(refusal(&grown, &add), ("invalid_field", vec!["/operations/0/cells".to_owned()]));
}

#[test]
fn a_written_formula_is_checked_and_one_that_is_there_survives() {
    let set = |values| json!({"op": "set_cells", "sheet": "S", "range": "B3:C3", "values": [values]});
    let forbidden = refusal(&workbook(), &set(json!(["=HYPERLINK(A1)", "=RAND()"])));
    let places = ["/operations/0/values/0/0", "/operations/0/values/0/1"].map(str::to_owned);
    assert_eq!(forbidden, ("formula_not_allowed", places.to_vec()));
    // A client that writes a range back with one changed cell does not write the others.
    let (after, preview) = edited(&workbook(), &[set(json!(["x", "=NOW()"]))]);
    assert_eq!(after["sheets"][0]["cells"][2], json!(["g", "x", "=NOW()"]));
    assert_eq!(preview.counts.cells_changed, 1);
    let add = json!({"op": "add_sheet", "name": "U", "cells": [["=U!A1", "=s!A1"], ["=V!A1", "=@A1"]]});
    let places = ["/operations/0/cells/1/0", "/operations/0/cells/1/1"].map(str::to_owned);
    assert_eq!(refusal(&workbook(), &add), ("formula_not_allowed", places.to_vec()));
}

#[test]
fn clearing_empties_the_cells_that_there_are() {
    let (after, preview) = edited(&workbook(), &[json!({"op": "clear_range", "sheet": "S", "range": "C3:E9"})]);
    assert_eq!(after["sheets"][0]["cells"], json!([["a", "b", "c"], ["d", "e", "f"], ["g", "h", ""]]));
    assert_eq!(preview.counts.cells_changed, 1);
}

#[test]
fn inserted_rows_are_empty_and_what_is_below_keeps_what_it_has() {
    let (after, preview) = edited(&workbook(), &[json!({"op": "insert_rows", "sheet": "S", "row": 2, "count": 2})]);
    assert_eq!(
        after["sheets"][0]["cells"],
        json!([["a", "b", "c"], ["", "", ""], ["", "", ""], ["d", "e", "f"], ["g", "h", "=NOW()"]])
    );
    assert_eq!(
        after["formats"],
        json!({"0:0:0": {"align": "left"}, "0:3:1": {"wrap": true}, "0:4:2": {"align": "right"}, "1:0:0": {}})
    );
    assert_eq!(after["validation"], json!({"0:3:0": {"type": "number"}, "1:1:1": {"type": "number"}}));
    assert_eq!(after["widths"], json!([[10, 20, 30], [40]]));
    assert_eq!(
        changes(&preview),
        json!([{"op": 0, "kind": "insert", "sheet": "S", "range": "2:3", "before": null, "after": null}])
    );
    let (after, _) = edited(&workbook(), &[json!({"op": "insert_rows", "sheet": "T", "row": 2, "count": 1})]);
    assert_eq!(after["sheets"][1]["cells"], json!([["t"], [""]]));
}

#[test]
fn deleted_rows_are_shown_and_take_what_they_have_with_them() {
    let (after, preview) = edited(&workbook(), &[json!({"op": "delete_rows", "sheet": "S", "row": 2, "count": 1})]);
    assert_eq!(after["sheets"][0]["cells"], json!([["a", "b", "c"], ["g", "h", "=NOW()"]]));
    assert_eq!(after["formats"], json!({"0:0:0": {"align": "left"}, "0:1:2": {"align": "right"}, "1:0:0": {}}));
    assert_eq!(after["validation"], json!({"1:1:1": {"type": "number"}}));
    assert_eq!(
        changes(&preview),
        json!([{"op": 0, "kind": "delete", "sheet": "S", "range": "2:2", "before": [["d", "e", "f"]], "after": null}])
    );
}

#[test]
fn columns_come_and_go_with_their_widths() {
    let (after, preview) =
        edited(&workbook(), &[json!({"op": "insert_columns", "sheet": "S", "column": "B", "count": 2})]);
    assert_eq!(after["sheets"][0]["cells"][0], json!(["a", "", "", "b", "c"]));
    assert_eq!(
        after["formats"],
        json!({"0:0:0": {"align": "left"}, "0:1:3": {"wrap": true}, "0:2:4": {"align": "right"}, "1:0:0": {}})
    );
    assert_eq!(after["widths"], json!([[10, 10, 10, 20, 30], [40]]));
    assert_eq!(
        changes(&preview),
        json!([{"op": 0, "kind": "insert", "sheet": "S", "range": "B:C", "before": null, "after": null}])
    );
    let (after, preview) =
        edited(&workbook(), &[json!({"op": "delete_columns", "sheet": "S", "column": "A", "count": 2})]);
    assert_eq!(after["sheets"][0]["cells"], json!([["c"], ["f"], ["=NOW()"]]));
    assert_eq!(after["formats"], json!({"0:2:0": {"align": "right"}, "1:0:0": {}}));
    assert_eq!(after["widths"], json!([[30], [40]]));
    assert_eq!(
        changes(&preview),
        json!([{"op": 0, "kind": "delete", "sheet": "S", "range": "A:B", "before": [["a", "b"], ["d", "e"], ["g", "h"]], "after": null}])
    );
}

#[test]
fn rows_and_columns_are_those_of_the_sheet_and_one_is_left() {
    for (value, at) in [
        (json!({"op": "insert_rows", "sheet": "S", "row": 5, "count": 1}), "/row"),
        (json!({"op": "insert_rows", "sheet": "S", "row": 1, "count": 1998}), "/count"),
        (json!({"op": "delete_rows", "sheet": "S", "row": 4, "count": 1}), "/row"),
        (json!({"op": "delete_rows", "sheet": "S", "row": 3, "count": 2}), "/count"),
        (json!({"op": "delete_rows", "sheet": "S", "row": 1, "count": 3}), "/count"),
        (json!({"op": "insert_columns", "sheet": "S", "column": "E", "count": 1}), "/column"),
        (json!({"op": "insert_columns", "sheet": "S", "column": "A", "count": 62}), "/count"),
        (json!({"op": "delete_columns", "sheet": "S", "column": "D", "count": 1}), "/column"),
        (json!({"op": "delete_columns", "sheet": "S", "column": "C", "count": 2}), "/count"),
        (json!({"op": "delete_columns", "sheet": "T", "column": "A", "count": 1}), "/count"),
        (json!({"op": "delete_rows", "sheet": "s", "row": 1, "count": 1}), "/sheet"),
    ] {
        assert_eq!(refusal(&workbook(), &value), ("invalid_field", vec![format!("/operations/0{at}")]), "{value}");
    }
    for value in [
        json!({"op": "insert_rows", "sheet": "S", "row": 0, "count": 1}),
        json!({"op": "delete_rows", "sheet": "S", "row": 2001, "count": 1}),
        json!({"op": "insert_columns", "sheet": "S", "column": "BM", "count": 1}),
        json!({"op": "delete_columns", "sheet": "S", "column": 1, "count": 1}),
        json!({"op": "insert_rows", "sheet": "S", "row": 1, "count": 0}),
    ] {
        assert_eq!(problems(&value).len(), 1, "{value}");
    }
}

#[test]
fn a_sheet_that_is_added_pushes_the_others_with_what_they_have() {
    let add = json!({"op": "add_sheet", "name": "U", "cells": [["u"]], "index": 1});
    let (after, preview) = edited(&workbook(), &[add]);
    assert_eq!(after["sheets"][1], json!({"name": "U", "cells": [["u"]]}));
    assert_eq!(after["formats"]["2:0:0"], json!({}));
    assert_eq!(after["validation"], json!({"0:1:0": {"type": "number"}, "2:1:1": {"type": "number"}}));
    assert_eq!(after["widths"], json!([[10, 20, 30], [], [40]]));
    assert_eq!(
        changes(&preview),
        json!([{"op": 0, "kind": "insert", "sheet": "U", "before": null, "after": {"name": "U", "cells": [["u"]]}}])
    );
    for (value, at) in [
        (json!({"op": "add_sheet", "name": "U", "cells": [[""]], "index": 3}), "/index"),
        (json!({"op": "add_sheet", "name": "s", "cells": [[""]]}), "/name"),
    ] {
        assert_eq!(refusal(&workbook(), &value), ("invalid_field", vec![format!("/operations/0{at}")]), "{value}");
    }
    assert_eq!(problems(&json!({"op": "add_sheet", "name": "U", "cells": [["", ""], [""]]})), ["/cells/1"]);
    let ten = json!((0..10).map(|index| json!({"name": format!("S{index}"), "cells": [[""]]})).collect::<Vec<_>>());
    let ten = content(&json!({"kind": "sheets", "sheets": ten}));
    let eleventh = json!({"op": "add_sheet", "name": "U", "cells": [[""]]});
    assert_eq!(refusal(&ten, &eleventh), ("invalid_field", vec!["/operations/0".to_owned()]));
}

#[test]
fn entries_of_no_sheet_never_become_those_of_one() {
    let value = json!({
        "kind": "sheets",
        "sheets": [{"name": "S", "cells": [[""]]}],
        "formats": {"1:0:0": {"wrap": true}},
        "widths": [[], [1], [2], [3], [4], [5], [6], [7], [8], [9]],
    });
    let (after, _) = edited(&content(&value), &[json!({"op": "add_sheet", "name": "T", "cells": [[""]]})]);
    assert_eq!(after["formats"], json!({"2:0:0": {"wrap": true}}));
    assert_eq!(after["widths"], json!([[], [], [1], [2], [3], [4], [5], [6], [7], [8]]));
    // The last index that can be written has no next one.
    let last = json!({
        "kind": "sheets",
        "sheets": [{"name": "S", "cells": [[""]]}],
        "formats": {"999999999:0:0": {}, "0:0:999999999": {}},
        "widths": {"0": [1], "999999999": []},
    });
    let add = json!({"op": "add_sheet", "name": "T", "cells": [[""]], "index": 0});
    let insert = json!({"op": "insert_columns", "sheet": "S", "column": "A", "count": 1});
    let (after, _) = edited(&content(&last), &[add, insert]);
    assert_eq!((&after["formats"], &after["widths"]), (&json!({}), &json!({"1": [1, 1]})));
}

#[test]
fn widths_of_no_sheet_give_way_to_those_of_one() {
    let widths: serde_json::Value = (1..=10).map(|sheet| (sheet.to_string(), json!([sheet]))).collect();
    let full = content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["a"]]}], "widths": widths}));
    let (after, _) = edited(&full, &[json!({"op": "set_widths", "sheet": "S", "widths": [7]})]);
    let mut left: serde_json::Value = (1..=9).map(|sheet| (sheet.to_string(), json!([sheet]))).collect();
    left["0"] = json!([7]);
    assert_eq!(after["widths"], left);
}

#[test]
fn renaming_changes_the_name_alone() {
    let before = content(
        &json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["=A2"], [""]]}, {"name": "T", "cells": [[""]]}]}),
    );
    let rename = |name: &str| json!({"op": "rename_sheet", "sheet": "S", "name": name});
    let (after, preview) = edited(&before, &[rename("Plan")]);
    assert_eq!(after["sheets"][0], json!({"name": "Plan", "cells": [["=A2"], [""]]}));
    assert_eq!(
        changes(&preview),
        json!([{"op": 0, "kind": "replace", "sheet": "S", "member": "name", "before": "S", "after": "Plan"}])
    );
    assert_eq!(edited(&before, &[rename("s")]).0["sheets"][0]["name"], "s");
    assert!(edited(&before, &[rename("S")]).1.changes.is_empty());
    assert_eq!(refusal(&before, &rename("t")), ("invalid_field", vec!["/operations/0/name".to_owned()]));
}

#[test]
fn a_deleted_sheet_takes_what_its_cells_have_and_one_is_left() {
    let (after, preview) = edited(&workbook(), &[json!({"op": "delete_sheet", "sheet": "S"})]);
    assert_eq!(
        after,
        json!({
            "kind": "sheets", "sheets": [{"name": "T", "cells": [["t"]]}],
            "formats": {"0:0:0": {}}, "validation": {"0:1:1": {"type": "number"}}, "widths": [[40]],
        })
    );
    assert_eq!(changes(&preview)[0]["before"]["cells"][1], json!(["d", "e", "f"]));
    let last = sheet(&json!([["a"]]));
    assert_eq!(
        refusal(&last, &json!({"op": "delete_sheet", "sheet": "S"})),
        ("invalid_field", vec!["/operations/0/sheet".to_owned()])
    );
}

#[test]
fn a_format_replaces_the_one_before_and_none_removes_it() {
    let set = |value: &str| {
        serde_json::from_str(&format!(r#"{{"op": "set_format", "sheet": "S", "range": "A1:B2"{value}}}"#))
            .expect("JSON")
    };
    let (after, preview) = edited(&workbook(), &[set(r#", "wrap": true"#)]);
    let wrap = json!({"wrap": true});
    assert_eq!(
        after["formats"],
        json!({"0:0:0": wrap, "0:0:1": wrap, "0:1:0": wrap, "0:1:1": wrap, "0:2:2": {"align": "right"}, "1:0:0": {}})
    );
    assert_eq!(
        changes(&preview),
        json!([{"op": 0, "kind": "replace", "sheet": "S", "range": "A1:B2", "member": "formats", "before": {"A1": {"align": "left"}}, "after": wrap}])
    );
    let (after, _) = edited(&workbook(), &[set("")]);
    assert_eq!(after["formats"], json!({"0:2:2": {"align": "right"}, "1:0:0": {}}));
    assert!(edited(&sheet(&json!([["a"]])), &[set("")]).1.changes.is_empty());
}

#[test]
fn members_keep_their_form_until_there_is_something_in_them() {
    let mut empty = content(&json!({
        "kind": "sheets", "sheets": [{"name": "S", "cells": [["a"]]}], "formats": [], "validation": [], "widths": [],
    }));
    let none = json!({"op": "set_validation", "sheet": "S", "range": "A1", "rule": null});
    assert_eq!(edited(&empty, &[none]).0["validation"], json!([]));
    let operations = [
        json!({"op": "set_format", "sheet": "S", "range": "A1", "align": "right"}),
        json!({"op": "set_validation", "sheet": "S", "range": "A1", "rule": {"type": "list", "values": ["x"]}}),
        json!({"op": "set_widths", "sheet": "S", "widths": [7]}),
    ];
    let (after, _) = edited(&empty, &operations);
    assert_eq!(
        (&after["formats"], &after["validation"]),
        (&json!({"0:0:0": {"align": "right"}}), &json!({"0:0:0": {"type": "list", "values": ["x"]}}))
    );
    assert_eq!(after["widths"], json!([[7]]));
    (empty.formats, empty.validation, empty.widths) = (None, None, None);
    let (after, preview) = edited(&empty, &operations);
    assert_eq!(after["widths"], json!({"0": [7]}));
    assert_eq!(
        changes(&preview)[2],
        json!({"op": 2, "kind": "replace", "sheet": "S", "member": "widths", "before": [], "after": [7]})
    );
}

#[test]
fn entries_are_bounded() {
    let formats: serde_json::Value = (0..5000).map(|row| (format!("0:{row}:0"), json!({"wrap": true}))).collect();
    let full = content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["a"]]}], "formats": formats}));
    let set = |range: &str, wrap| json!({"op": "set_format", "sheet": "S", "range": range, "wrap": wrap});
    assert!(edit(&full, &[set("A1:A1000", false)]).is_ok());
    assert_eq!(refusal(&full, &set("A1:B1", false)), ("invalid_field", vec!["/operations/0/range".to_owned()]));
}

#[test]
fn a_workbook_with_editor_data_is_read_only() {
    let value = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["a"]]}], "univer": ""});
    let clear = json!({"op": "clear_range", "sheet": "S", "range": "A1"});
    assert_eq!(refused(&content(&value), &clear).code.name, "workbook_read_only");
}
