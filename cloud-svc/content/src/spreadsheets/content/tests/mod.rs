//! The rules of spreadsheet content, one by one.

mod canonical;

use serde_json::{Value, json};
use shared_model::json_reader;

use super::SpreadsheetContent;
use crate::content::Content as _;

/// The places at which `content` breaks rules.
fn problems(content: &Value) -> Vec<String> {
    match json_reader::read::<SpreadsheetContent>(content) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.into_iter().map(|problem| problem.at).collect(),
    }
}

fn sheets(sheets: &Value) -> Value {
    json!({"kind": "sheets", "sheets": sheets})
}

/// One sheet with these cells.
fn cells(cells: &Value) -> Value {
    sheets(&json!([{"name": "Budget", "cells": cells}]))
}

/// A sheet of one cell, with one more member of the content.
fn with(member: &str, value: &Value) -> Value {
    let mut content = cells(&json!([["a"]]));
    content[member] = value.clone();
    content
}

fn canonical(content: &Value) -> String {
    let content: SpreadsheetContent = json_reader::read(content).expect("accepted");
    serde_json::to_string(&content).expect("JSON")
}

#[test]
fn the_canonical_form_has_one_order_of_members_and_keeps_both_forms() {
    let content = json!({
        "widths": {"1": [5], "0": [0, 600]},
        "validation": {"0:10:0": {"values": ["b", "a"], "type": "list"}, "0:9:0": {"type": "number"}},
        "formats": {"0:0:0": {"wrap": true, "align": "center"}, "0:0:1": {}},
        "sheets": [{"cells": [["=A1", "é\n"]], "name": "Budget"}],
        "kind": "sheets",
    });
    assert_eq!(
        canonical(&content),
        r#"{"kind":"sheets","sheets":[{"name":"Budget","cells":[["=A1","é\n"]]}],"formats":{"0:0:0":{"align":"center","wrap":true},"0:0:1":{}},"validation":{"0:9:0":{"type":"number"},"0:10:0":{"type":"list","values":["b","a"]}},"widths":{"0":[0,600],"1":[5]}}"#
    );
    let mut arrays = sheets(&json!([{"name": "a", "cells": [[""]]}]));
    for (member, value) in
        [("formats", json!([])), ("validation", json!([])), ("widths", json!([[1], []])), ("univer", json!("{}"))]
    {
        arrays[member] = value;
    }
    assert_eq!(
        canonical(&arrays),
        r#"{"kind":"sheets","sheets":[{"name":"a","cells":[[""]]}],"formats":[],"validation":[],"widths":[[1],[]],"univer":"{}"}"#
    );
}

#[test]
fn the_smallest_workbook_is_one_sheet_with_one_empty_cell() {
    let name = shared_model::Name::parse("Plan").expect("a name");
    let stored = serde_json::to_value(SpreadsheetContent::smallest(&name)).expect("JSON");
    assert_eq!(stored["sheets"], json!([{"name": "Sheet1", "cells": [[""]]}]));
    assert!(problems(&stored).is_empty());
}

#[test]
fn counts_are_bounded() {
    let many = |count: usize| {
        let sheet = |index| json!({"name": format!("S{index}"), "cells": [[""]]});
        sheets(&(0..count).map(sheet).collect::<Value>())
    };
    assert_eq!(problems(&many(0)), ["/sheets"]);
    assert!(problems(&many(10)).is_empty());
    assert_eq!(problems(&many(11)), ["/sheets"]);
    assert_eq!(problems(&cells(&json!([]))), ["/sheets/0/cells"]);
    assert_eq!(problems(&cells(&json!([[]]))), ["/sheets/0/cells/0"]);
    assert!(problems(&cells(&json!(vec![vec![""; 64]; 2000]))).is_empty());
    assert_eq!(problems(&cells(&json!(vec![[""]; 2001]))), ["/sheets/0/cells"]);
    assert_eq!(problems(&cells(&json!([vec![""; 65]]))), ["/sheets/0/cells/0"]);
}

#[test]
fn rows_of_a_sheet_have_equal_length_and_sheets_may_differ() {
    assert_eq!(
        problems(&cells(&json!([["", ""], [""], ["", ""], ["", "", ""]]))),
        ["/sheets/0/cells/1", "/sheets/0/cells/3"]
    );
    let two = json!([{"name": "a", "cells": [["", ""]]}, {"name": "b", "cells": [[""], [""]]}]);
    assert!(problems(&sheets(&two)).is_empty());
}

#[test]
fn cells_are_texts_of_bounded_length() {
    assert!(problems(&cells(&json!([["a".repeat(10_000)]]))).is_empty());
    for cell in
        [json!("a".repeat(10_001)), json!("é".repeat(5_001)), json!("\u{0}"), json!("\u{1}"), json!([1]), json!({})]
    {
        assert_eq!(problems(&cells(&json!([["", cell]]))), ["/sheets/0/cells/0/1"]);
    }
}

#[test]
fn names_are_lines_that_can_be_seen_and_distinguished() {
    let named = |name: &str| sheets(&json!([{"name": name, "cells": [[""]]}]));
    for name in ["a", "Budget 2026", "It's", "25/26", "Übersicht", "a!b", &"a".repeat(80)] {
        assert!(problems(&named(name)).is_empty(), "{name}");
    }
    for name in ["", " a", "a ", "a\nb", "a\u{200b}", "a\u{202e}b", &"a".repeat(81), &"é".repeat(41)] {
        assert_eq!(problems(&named(name)), ["/sheets/0/name"], "{name:?}");
    }
    for (one, other) in
        [("Budget", "Budget"), ("Budget", "BUDGET"), ("Straße", "STRASSE"), ("e\u{301}", "é"), ("Ａ", "a")]
    {
        let two = json!([{"name": one, "cells": [[""]]}, {"name": other, "cells": [[""]]}]);
        assert_eq!(problems(&sheets(&two)), ["/sheets/1/name"], "{one} {other}");
    }
}

#[test]
fn formats_and_validation_are_objects_by_cell_or_an_empty_array() {
    for member in ["formats", "validation"] {
        for value in [json!({}), json!([])] {
            assert!(problems(&with(member, &value)).is_empty());
        }
        for value in [json!([{}]), json!(null), json!("")] {
            assert_eq!(problems(&with(member, &value)), [format!("/{member}")]);
        }
        let entry = if member == "formats" { json!({}) } else { json!({"type": "number"}) };
        let keyed = |key: &str| with(member, &json!({key: entry}));
        // The spec asks for three integers, and so they need not be within a sheet.
        for key in ["0:0:0", "9:1999:63", "7:0:0", "0:5000:999", "999999999:999999999:999999999"] {
            assert!(problems(&keyed(key)).is_empty(), "{key}");
        }
        for key in [
            "",
            "0",
            "0:0",
            "0:0:0:0",
            "00:0:0",
            "0:0:01",
            "-1:0:0",
            "+1:0:0",
            "0: 0:0",
            "0:0:",
            "a:0:0",
            "０:0:0",
            "1000000000:0:0",
            "0:0:1.0",
            "A1",
        ] {
            assert_eq!(problems(&keyed(key)), [format!("/{member}/{key}")], "{key}");
        }
        let many = |count: usize| -> Value { (0..count).map(|row| (format!("0:{row}:0"), entry.clone())).collect() };
        assert!(problems(&with(member, &many(5000))).is_empty());
        assert_eq!(problems(&with(member, &many(5001))), [format!("/{member}")]);
    }
}

#[test]
fn a_format_has_an_alignment_and_a_wrap_and_nothing_else() {
    let format = |value: &Value| problems(&with("formats", &json!({"0:0:0": value})));
    for value in [json!({}), json!({"align": "left"}), json!({"align": "right", "wrap": false}), json!({"wrap": true})]
    {
        assert!(format(&value).is_empty());
    }
    assert_eq!(
        format(&json!({"align": "justify", "wrap": 1, "bold": true})),
        ["/formats/0:0:0/align", "/formats/0:0:0/wrap", "/formats/0:0:0/bold"]
    );
    assert_eq!(format(&json!({"align": null})), ["/formats/0:0:0/align"]);
    assert_eq!(format(&json!([])), ["/formats/0:0:0"]);
}

#[test]
fn a_validation_rule_is_a_number_or_a_list_of_texts() {
    let rule = |value: &Value| problems(&with("validation", &json!({"0:0:0": value})));
    let list = |values: Value| json!({"type": "list", "values": values});
    assert!(rule(&json!({"type": "number"})).is_empty());
    assert!(rule(&list(json!(vec!["a"; 20]))).is_empty());
    assert!(rule(&list(json!(["a".repeat(1000)]))).is_empty());
    let at = "/validation/0:0:0";
    for value in [
        json!({}),
        json!({"type": "date"}),
        json!("number"),
        json!({"type": 1}),
        json!({"type": "list"}),
        json!(["number"]),
    ] {
        assert_eq!(rule(&value), [at], "{value}");
    }
    assert_eq!(rule(&json!({"type": "number", "values": ["a"]})), [format!("{at}/values")]);
    assert_eq!(rule(&list(json!([]))), [format!("{at}/values")]);
    assert_eq!(rule(&list(json!(vec!["a"; 21]))), [format!("{at}/values")]);
    assert_eq!(
        rule(&list(json!(["a".repeat(1001), "é".repeat(501), 1]))),
        [0, 1, 2].map(|index| format!("{at}/values/{index}"))
    );
}

#[test]
fn widths_are_lists_by_order_or_by_index() {
    let widths = |value: &Value| problems(&with("widths", value));
    let full = json!(vec![600; 64]);
    for value in [
        json!([]),
        json!({}),
        json!([[], [0, 600]]),
        json!(vec![full.clone(); 10]),
        json!({"0": [], "9": [1], "12": full}),
    ] {
        assert!(widths(&value).is_empty(), "{value}");
    }
    assert_eq!(widths(&json!(vec![json!([]); 11])), ["/widths"]);
    assert_eq!(widths(&(0..11).map(|index| (index.to_string(), json!([]))).collect()), ["/widths"]);
    assert_eq!(widths(&json!([vec![1; 65]])), ["/widths/0"]);
    assert_eq!(widths(&json!([[-1, 601, 1.5, "1"]])), ["/widths/0/0", "/widths/0/1", "/widths/0/2", "/widths/0/3"]);
    assert_eq!(
        widths(&json!({"00": [], "-1": [], "a": [601], "": []})),
        ["/widths/", "/widths/-1", "/widths/00", "/widths/a", "/widths/a/0"]
    );
    assert_eq!(widths(&json!([1])), ["/widths/0"]);
    assert_eq!(widths(&json!(null)), ["/widths"]);
}

#[test]
fn editor_data_is_bounded_in_characters_and_makes_the_workbook_read_only() {
    // In bytes only the whole is bounded.
    assert!(problems(&with("univer", &json!("é".repeat(490_000)))).is_empty());
    assert!(problems(&with("univer", &json!("a".repeat(700_000)))).is_empty());
    assert_eq!(problems(&with("univer", &json!("a".repeat(700_001)))), ["/univer"]);
    assert_eq!(problems(&with("univer", &json!({}))), ["/univer"]);
    let read_only =
        |content: &Value| json_reader::read::<SpreadsheetContent>(content).expect("accepted").is_read_only();
    assert!(read_only(&with("univer", &json!(""))));
    assert!(!read_only(&cells(&json!([["a"]]))));
}

#[test]
fn the_whole_is_bounded_in_bytes_of_its_canonical_form() {
    let whole = |last: usize| {
        cells(&json!(vec![vec!["a".repeat(9_997)]; 99].into_iter().chain([vec!["a".repeat(last)]]).collect::<Vec<_>>()))
    };
    let rest = 1_000_000 - canonical(&whole(0)).len();
    assert_eq!(canonical(&whole(rest)).len(), 1_000_000);
    assert_eq!(problems(&whole(rest + 1)), [""]);
    // It is reported with all other problems.
    let mut wrong = whole(rest + 1);
    wrong["sheets"][0]["name"] = json!(" Budge");
    assert_eq!(problems(&wrong), ["/sheets/0/name", ""]);
}

#[test]
fn every_problem_is_reported_at_once() {
    let content = json!({
        "kind": "docs",
        "sheets": [{"name": "", "cells": [["\u{0}", [1]], [""]], "rows": 1}, 7, {"name": "a"}],
        "formats": {"A1": {"align": "up"}},
        "validation": {"0:0:0": {"type": "list", "values": [1]}},
        "widths": [["wide"]],
        "univer": 1,
        "extra": null,
    });
    let places = [
        "/kind",
        "/sheets/0/name",
        "/sheets/0/cells/0/0",
        "/sheets/0/cells/0/1",
        "/sheets/0/rows",
        "/sheets/0/cells/1",
        "/sheets/1",
        "/sheets/2",
        "/formats/A1",
        "/formats/A1/align",
        "/validation/0:0:0/values/0",
        "/widths/0/0",
        "/univer",
        "/extra",
    ];
    assert_eq!(problems(&content), places);
}

#[test]
fn every_forbidden_formula_is_named_with_its_place_and_the_allowed_functions() {
    let content = json!([
        {"name": "One", "cells": [["=SUM(A2:B2)", "=NOW()"], ["+A1", "=Two!A1"]]},
        {"name": "Two", "cells": [["=Three!A1"], ["=one!A1"], [" =NOW()"], ["="]]},
    ]);
    let content: SpreadsheetContent = json_reader::read(&sheets(&content)).expect("accepted");
    let forbidden = content.forbidden().expect("formulas");
    assert_eq!(forbidden.code.name, "formula_not_allowed");
    let places: Vec<_> = forbidden.problems.iter().map(|problem| problem.at.as_str()).collect();
    assert_eq!(places, ["/sheets/0/cells/0/1", "/sheets/1/cells/0/0", "/sheets/1/cells/3/0"]);
    assert!(forbidden.problems[0].rule.contains("SUM, AVERAGE, MIN, MAX, COUNT, IF, ROUND, ABS"));
    let harmless: SpreadsheetContent = json_reader::read(&cells(&json!([["=A1", "@x", "-1"]]))).expect("accepted");
    assert!(harmless.forbidden().is_none());
}
