//! Cells and ranges as people send them.

use serde_json::{Value, json};
use shared_model::json_reader;

use super::{content, operation, problems};
use crate::spreadsheets::{content::SpreadsheetContent, edit::operation::SpreadsheetOperation};

fn read(value: Value) -> Value {
    serde_json::to_value(operation(&value)).expect("JSON")
}

#[test]
fn numbers_booleans_and_null_are_stored_as_text() {
    let sent: Value = serde_json::from_str(
        r#"[["120", 120, 120.0, -1.50, 0.1, 1e21, 1e-7, 9007199254740993, -0.0, true, false, null, "", "true"]]"#,
    )
    .expect("JSON");
    let stored = json!([[
        "120",
        "120",
        "120",
        "-1.5",
        "0.1",
        "1e+21",
        "1e-7",
        "9007199254740993",
        "0",
        "TRUE",
        "FALSE",
        "",
        "",
        "true"
    ]]);
    let set = json!({"op": "set_cells", "sheet": "S", "range": "A1:N1", "values": sent});
    assert_eq!(read(set)["values"], stored);
    assert_eq!(read(json!({"op": "add_sheet", "name": "S", "cells": sent}))["cells"], stored);
    let created = content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": sent}]}));
    assert_eq!(serde_json::to_value(created).expect("JSON")["sheets"][0]["cells"], stored);
    for wrong in [json!([]), json!({"value": 1}), json!("x".repeat(10_001))] {
        let set = json!({"op": "set_cells", "sheet": "S", "range": "A1", "values": [[wrong]]});
        assert_eq!(problems(&set), ["/values/0/0"]);
    }
}

#[test]
fn the_bound_of_a_workbook_is_that_of_what_is_stored() {
    let rows = |rows: usize| json!({"kind": "sheets", "sheets": [{"name": "S", "cells": vec![vec![Value::from(123_456); 64]; rows]}]});
    // A number has 7 bytes with its comma, and 9 as text.
    assert!(json_reader::read::<SpreadsheetContent>(&rows(1_700)).is_ok());
    let problems = json_reader::read::<SpreadsheetContent>(&rows(1_800)).expect_err("too long");
    assert!(problems[0].rule.starts_with("must be at most 1000000 bytes"), "{problems:?}");
}

#[test]
fn a_range_is_read_in_any_spelling_and_may_name_its_sheet() {
    let clear = |sheet: Option<&str>, range: &str| {
        let mut value = json!({"op": "clear_range", "range": range});
        if let Some(sheet) = sheet {
            value["sheet"] = json!(sheet);
        }
        value
    };
    for (sheet, range, expected) in [
        (Some("Budget"), "a1:b2", ("Budget", "A1:B2")),
        (Some("Budget"), "$A$1", ("Budget", "A1")),
        (Some("Budget"), "$a1:B$2", ("Budget", "A1:B2")),
        (Some("Budget"), "Budget!A1:B2", ("Budget", "A1:B2")),
        (Some("Budget"), "budget!A1:B2", ("Budget", "A1:B2")),
        (None, "Budget!$A$1:$B$2", ("Budget", "A1:B2")),
        (None, "'It''s 2026'!A1", ("It's 2026", "A1")),
        (None, "a!b!A1", ("a!b", "A1")),
    ] {
        let (sheet_read, range_read) = expected;
        assert_eq!(
            read(clear(sheet, range)),
            json!({"op": "clear_range", "sheet": sheet_read, "range": range_read}),
            "{range}"
        );
    }
    assert_eq!(problems(&clear(Some("Budget"), "Other!A1")), ["/range"]);
    assert_eq!(problems(&clear(None, "A1")), [""]);
    assert_eq!(problems(&clear(None, "!A1")), ["/sheet"]);
    for range in ["$$A1", "A$$1", "A1$", "$", "A:A", "1:2", "A1:", "Budget!", "A1:Budget!B2", "ａ1", "é1", "A1 :B2"] {
        assert_eq!(problems(&clear(Some("Budget"), range)), ["/range"], "{range}");
    }
    let fill = json!({"op": "fill", "from": "Budget!b2", "range": "b3:b9"});
    assert_eq!(read(fill), json!({"op": "fill", "sheet": "Budget", "from": "B2", "range": "B3:B9"}));
    assert_eq!(problems(&json!({"op": "fill", "from": "Budget!b2", "range": "Other!b3:b9"})), ["/range"]);
}

#[test]
fn the_schema_says_that_a_range_may_name_the_sheet() {
    use crate::operation::Operations as _;
    let mut components = Vec::new();
    SpreadsheetOperation::add_components(&mut components);
    let required = |name: &str| {
        let (_, schema) = components.iter().find(|(known, _)| known == name).expect("the schema");
        serde_json::to_value(schema).expect("JSON")["required"].clone()
    };
    assert_eq!(required("Fill"), json!(["op", "from", "range"]));
    assert_eq!(required("InsertRows"), json!(["op", "sheet", "row", "count"]));
}
