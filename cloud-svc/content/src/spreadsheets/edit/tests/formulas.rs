//! Formulas follow the cells to which they refer.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{changes, content, edit, edited, refusal, refused};
use crate::spreadsheets::content::SpreadsheetContent;

/// Sheet `S` and, on sheet `T`, the formulas in column A from row 1.
fn workbook(formulas: &[&str]) -> SpreadsheetContent {
    let empty = vec![vec![""; 8]; 12];
    let formulas: Vec<_> = formulas.iter().map(|formula| [formula]).collect();
    content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": empty}, {"name": "T", "cells": formulas}]}))
}

fn followed(operation: Value, formula: &str) -> String {
    let (after, _) = edited(&workbook(&[formula]), &[operation]);
    let sheets = after["sheets"].as_array().expect("sheets");
    let text = sheets.last().expect("T")["cells"][0][0].as_str();
    text.expect("a text").to_owned()
}

fn rows(op: &str, row: usize, count: usize) -> Value {
    json!({"op": format!("{op}_rows"), "sheet": "S", "row": row, "count": count})
}

fn columns(op: &str, column: &str, count: usize) -> Value {
    json!({"op": format!("{op}_columns"), "sheet": "S", "column": column, "count": count})
}

// The expected formulas are those of LibreOffice Calc 7.4 with its setting "Expand references" on.
#[test]
#[rustfmt::skip]
fn references_move_grow_shrink_and_are_lost() {
    for (operation, before, after) in [
        (rows("insert", 4, 1), "=S!B4", "=S!B5"),
        (rows("insert", 4, 1), "=S!$B$4", "=S!$B$5"),
        (rows("insert", 4, 1), "=S!$B4+S!B$4", "=S!$B5+S!B$5"),
        (rows("insert", 5, 1), "=S!B4", "=S!B4"),
        (rows("insert", 2, 2), "=SUM(S!B2:B4)", "=SUM(S!B2:B6)"),
        (rows("insert", 3, 1), "=SUM(S!B2:B4)", "=SUM(S!B2:B5)"),
        (rows("insert", 4, 1), "=SUM(S!B$2:$B4)", "=SUM(S!B$2:$B5)"),
        (rows("insert", 5, 1), "=SUM(S!B2:B4)", "=SUM(S!B2:B5)"),
        (rows("insert", 6, 1), "=SUM(S!B2:B4)", "=SUM(S!B2:B4)"),
        (rows("insert", 1, 2), "=SUM(S!B2:B4)", "=SUM(S!B4:B6)"),
        (rows("insert", 2, 1), "=SUM(S!B2:B2)", "=SUM(S!B3:B3)"),
        (rows("insert", 3, 1), "=SUM(S!B2:C2)", "=SUM(S!B2:C2)"),
        (rows("insert", 3, 1), "=SUM(S!b4:B2)", "=SUM(S!B5:B2)"),
        (rows("insert", 3, 1), "=SUM(S!2:$4,S!B:B)", "=SUM(S!2:$5,S!B:B)"),
        (rows("insert", 4, 1), "=S!A1048576+S!A5000", "=S!#REF!+S!A5001"),
        (rows("insert", 1, 2), "=SUM(S!A2:A1048576)", "=SUM(S!A4:A1048576)"),
        (rows("insert", 1, 2), "=SUM(S!A2:A1048575)", "=SUM(S!A4:A1048576)"),
        (rows("delete", 2, 1), "=SUM(S!B2:B4)", "=SUM(S!B2:B3)"),
        (rows("delete", 4, 3), "=SUM(S!B2:B4)", "=SUM(S!B2:B3)"),
        (rows("delete", 1, 2), "=SUM(S!B2:B4)", "=SUM(S!B1:B2)"),
        (rows("delete", 2, 3), "=SUM(S!B2:B4)", "=SUM(S!#REF!)"),
        (rows("delete", 1, 9), "=S!$B$4*2", "=S!#REF!*2"),
        (rows("delete", 4, 1), "=SUM(S!4:4)", "=SUM(S!#REF!)"),
        (rows("delete", 3, 1), "=SUM(S!A2:A1048576)", "=SUM(S!A2:A1048576)"),
        (columns("insert", "C", 1), "=SUM(S!B2:D2)", "=SUM(S!B2:E2)"),
        (columns("insert", "E", 2), "=SUM(S!B2:D2)", "=SUM(S!B2:F2)"),
        (columns("insert", "A", 1), "=SUM(S!$B:C,S!2:2)", "=SUM(S!$C:D,S!2:2)"),
        (columns("insert", "A", 1), "=S!XFD1", "=S!#REF!"),
        (columns("delete", "B", 1), "=SUM(S!B:B)+S!$C$1", "=SUM(S!#REF!)+S!$B$1"),
        // Only the sheet itself, in any case, and only references.
        (rows("insert", 1, 1), "=A1+t!A1+s!A1", "=A1+t!A1+s!A2"),
        (rows("insert", 1, 1), "= \"S!A1 \"\"A1\"\"\" & 'S'!a1 %", "= \"S!A1 \"\"A1\"\"\" & 'S'!A2 %"),
        (rows("insert", 1, 1), "=S!#REF!+ABS( S!A1 ,)", "=S!#REF!+ABS( S!A2 ,)"),
    ] {
        assert_eq!(followed(operation.clone(), before), after, "{before} after {operation}");
    }
}

#[test]
#[rustfmt::skip]
fn a_renamed_sheet_has_its_quotation_marks_where_it_needs_them() {
    for (name, after) in [
        ("Plan", "=Plan!A1+SUM(Plan!$B$2:C3,Plan!#REF!)"),
        ("Plan_2é", "=Plan_2é!A1+SUM(Plan_2é!$B$2:C3,Plan_2é!#REF!)"),
        ("It's 1", "='It''s 1'!A1+SUM('It''s 1'!$B$2:C3,'It''s 1'!#REF!)"),
        ("2026", "='2026'!A1+SUM('2026'!$B$2:C3,'2026'!#REF!)"),
        ("a.b", "='a.b'!A1+SUM('a.b'!$B$2:C3,'a.b'!#REF!)"),
        ("R_1", "=R_1!A1+SUM(R_1!$B$2:C3,R_1!#REF!)"),
        ("B2", "='B2'!A1+SUM('B2'!$B$2:C3,'B2'!#REF!)"),
        ("r1c1", "='r1c1'!A1+SUM('r1c1'!$B$2:C3,'r1c1'!#REF!)"),
        ("True", "='True'!A1+SUM('True'!$B$2:C3,'True'!#REF!)"),
    ] {
        let rename = json!({"op": "rename_sheet", "sheet": "S", "name": name});
        assert_eq!(followed(rename, "=s!A1+SUM('S'!$B$2:C3,S!#REF!)"), after);
    }
}

#[test]
fn a_name_that_formulas_cannot_have_is_refused_while_there_are_formulas() {
    let rename = json!({"op": "rename_sheet", "sheet": "S", "name": "a/b"});
    assert_eq!(refusal(&workbook(&["=S!A1"]), &rename), ("invalid_field", vec!["/operations/0/name".to_owned()]));
    let message = refused(&workbook(&["=S!A1"]), &rename).message;
    assert!(message.contains("the formula in A1 of sheet 2 refers to the sheet"), "{message}");
    assert!(edit(&workbook(&["=A1&\"S!A1\""]), &[rename]).is_ok());
}

#[test]
fn references_to_a_deleted_sheet_are_lost() {
    let delete = || json!({"op": "delete_sheet", "sheet": "S"});
    assert_eq!(followed(delete(), "=S!A1+SUM('S'!$B$2:C3,2)&T!A1"), "=#REF!+SUM(#REF!,2)&T!A1");
    assert_eq!(followed(delete(), "=S!#REF!+A1"), "=#REF!+A1");
}

#[test]
fn the_preview_shows_each_formula_at_its_new_place_and_warns_of_lost_references() {
    let before = content(&json!({"kind": "sheets", "sheets": [
        {"name": "Budget", "cells": [["Item", "Planned"], ["Rent", "900"], ["Food", "250"], ["Total", "=SUM(B2:B3)"]]},
        {"name": "It's", "cells": [["=Budget!B4"], ["=Budget!B2"]]},
    ]}));
    let operations = [
        json!({"op": "insert_rows", "sheet": "Budget", "row": 4, "count": 1}),
        json!({"op": "delete_rows", "sheet": "Budget", "row": 2, "count": 1}),
    ];
    let (after, preview) = edited(&before, &operations);
    assert_eq!(after["sheets"][0]["cells"][3], json!(["Total", "=SUM(B2:B3)"]));
    assert_eq!(after["sheets"][1]["cells"], json!([["=Budget!B4"], ["=Budget!#REF!"]]));
    let formula = |op: usize, sheet: &str, cell: &str, before: &str, after: &str| json!({"op": op, "kind": "formula", "sheet": sheet, "cell": cell, "where": format!("{sheet}!{cell}"), "before": before, "after": after});
    assert_eq!(
        changes(&preview),
        json!([
            {"op": 0, "kind": "insert", "sheet": "Budget", "range": "4:4", "before": null, "after": null},
            formula(0, "Budget", "B5", "=SUM(B2:B3)", "=SUM(B2:B4)"),
            formula(0, "It's", "A1", "=Budget!B4", "=Budget!B5"),
            {"op": 1, "kind": "delete", "sheet": "Budget", "range": "2:2", "before": [["Rent", "900"]], "after": null},
            formula(1, "Budget", "B4", "=SUM(B2:B4)", "=SUM(B2:B3)"),
            formula(1, "It's", "A1", "=Budget!B5", "=Budget!B4"),
            formula(1, "It's", "A2", "=Budget!B2", "=Budget!#REF!"),
        ])
    );
    assert_eq!(
        serde_json::to_value(&preview.warnings).expect("JSON"),
        json!([{"code": "formula_reference_lost", "op": 1, "where": "It's!A2", "severity": "high", "detail": "=Budget!B2"}])
    );
    assert_eq!(
        (preview.counts.formulas_rewritten, preview.counts.cells_changed, preview.counts.formulas_added),
        (5, 0, 0)
    );
}

#[test]
fn two_hundred_formulas_are_listed_and_the_others_are_counted() {
    let formulas: Vec<String> = (0..300).map(|row| format!("=S!B{}", row + 1)).collect();
    let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
    let (_, preview) =
        edited(&workbook(&formulas), &[rows("insert", 1, 1), rows("delete", 1, 11), rows("insert", 1, 1)]);
    let listed = preview.changes.iter().filter(|change| change.place.cell.is_some()).count();
    let more: Vec<_> = preview.changes.iter().filter_map(|change| Some((change.op, change.more?))).collect();
    assert_eq!((listed, more), (200, vec![(0, 100), (1, 300), (2, 290)]));
    assert_eq!(preview.counts.formulas_rewritten, 890);
    let (_, preview) = edited(&workbook(&formulas), &[json!({"op": "delete_sheet", "sheet": "S"})]);
    assert_eq!(preview.warnings.len(), 201);
    let last = preview.warnings.last().expect("the rest");
    assert_eq!((last.place.as_str(), last.detail.as_str()), ("", "100 more formulas"));
}

#[test]
fn a_plan_is_not_refused_because_its_list_of_formulas_is_long() {
    let long = format!("=S!B2&\"{}\"", "x".repeat(9_900));
    let formulas = vec![long.as_str(); 99];
    let operations = vec![rows("insert", 1, 1), rows("insert", 1, 1), rows("insert", 1, 1)];
    let (_, preview) = edited(&workbook(&formulas), &operations);
    assert_eq!(preview.counts.formulas_rewritten, 297);
    assert!(preview.changes.last().expect("the rest").more.is_some());
}

#[test]
fn a_formula_that_would_be_too_long_is_refused() {
    let long = format!("=S!A9&\"{}\"", "x".repeat(9_992));
    let insert = rows("insert", 1, 1);
    assert_eq!(refusal(&workbook(&[&long]), &insert), ("invalid_field", vec!["/operations/0".to_owned()]));
    let message = refused(&workbook(&[&long]), &insert).message;
    assert!(message.contains("; that in A1 of sheet 2 would have "), "{message}");
}

#[test]
fn a_formula_that_is_not_understood_stays_and_is_warned_of_if_it_may_be_concerned() {
    let sheets = |formula: &str| {
        let cells = json!([[formula], [""]]);
        content(
            &json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}, {"name": "T", "cells": [[formula]]}]}),
        )
    };
    for (formula, own, other) in [
        ("=NOW()", 0, 0),
        ("=NOW()+A1", 1, 0),
        ("=VLOOKUP(1,s!A1:B9,2)", 1, 1),
        ("=OFFSET(T!A1,1,1)", 1, 0),
        ("=NOW(", 0, 0),
    ] {
        let (after, preview) = edited(&sheets(formula), &[rows("insert", 2, 1)]);
        assert_eq!(
            (&after["sheets"][0]["cells"][0][0], &after["sheets"][1]["cells"][0][0]),
            (&json!(formula), &json!(formula))
        );
        let at = |place: &str| preview.warnings.iter().filter(|warning| warning.place == place).count();
        assert_eq!((at("S!A1"), at("T!A1")), (own, other), "{formula}");
    }
    let rename = json!({"op": "rename_sheet", "sheet": "T", "name": "U"});
    let (_, preview) = edited(&sheets("=NOW()+T!A1"), &[rename]);
    assert_eq!(
        serde_json::to_value(&preview.warnings).expect("JSON")[0],
        json!({"code": "formula_not_rewritten", "op": 0, "where": "S!A1", "severity": "medium", "detail": "=NOW()+T!A1"})
    );
    assert_eq!(preview.warnings.len(), 2);
}

/// Cells of a sheet that are known by the serial numbers of their row and column, wherever these move.
struct Serials {
    rows: Vec<usize>,
    columns: Vec<usize>,
    next: usize,
}

/// The serial numbers of the lines that a reference covers.
type Covered = (Vec<usize>, Vec<usize>);

impl Serials {
    fn new() -> Self {
        Self { rows: (0..60).collect(), columns: (0..40).collect(), next: 100 }
    }

    /// Reads `B2`, `B2:C3`, `B:C` or `2:3`, with any `$`.
    fn covered(&self, area: &str) -> Option<Covered> {
        let area = area.replace('$', "");
        if area == "#REF!" {
            return None;
        }
        let (one, other) = area.split_once(':').unwrap_or((&area, &area));
        let column = |end: &str| end.bytes().find(u8::is_ascii_uppercase).map(|letter| usize::from(letter - b'A'));
        let row =
            |end: &str| end.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().ok().map(|row| row - 1);
        let between = |lines: &[usize], ends: Option<(usize, usize)>| match ends {
            Some((one, other)) => lines[one.min(other)..=one.max(other)].to_vec(),
            None => Vec::new(),
        };
        Some((between(&self.rows, row(one).zip(row(other))), between(&self.columns, column(one).zip(column(other)))))
    }
}

/// What lines are covered after `lines` became `later`.
fn expected(covered: &[usize], later: &[usize]) -> Vec<usize> {
    let is_new = |line: &usize| *line >= 100;
    let has = |line: Option<&usize>| line.is_some_and(|line| covered.contains(line));
    let left = later.iter().enumerate().filter(|(at, line)| {
        let before = later[..*at].iter().rfind(|line| !is_new(line));
        let behind = later[*at..].iter().find(|line| !is_new(line));
        covered.contains(line) || (is_new(line) && covered.len() > 1 && (has(before) || has(behind)))
    });
    left.map(|(_, line)| *line).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn a_rewritten_reference_means_the_same_cells(
        area in "\\$?[A-H]\\$?[1-9](:\\$?[A-H]\\$?[1-9])?|\\$?[A-H]:[A-H]|[1-9]:\\$?[1-9]",
        kind in 0usize..4, at in 0usize..10, count in 1usize..4, is_own: bool,
    ) {
        let mut serials = Serials::new();
        let (before, next) = (serials.covered(&area).expect("cells"), serials.next);
        let lines = if kind < 2 { &mut serials.rows } else { &mut serials.columns };
        let letter = char::from(b'A' + u8::try_from(at).expect("small")).to_string();
        let operation = match kind {
            0 => rows("insert", at + 1, count),
            1 => rows("delete", at + 1, count),
            2 => columns("insert", &letter, count),
            _ => columns("delete", &letter, count),
        };
        if kind % 2 == 0 {
            lines.splice(at..at, next..next + count);
        } else {
            lines.drain(at..at + count);
        }
        // The formula itself stands where nothing is deleted.
        let mut cells = vec![vec![String::new(); 20]; 20];
        cells[19][19] = if is_own { format!("=SUM( {area} )") } else { String::new() };
        let workbook = content(&json!({"kind": "sheets", "sheets": [
            {"name": "S", "cells": cells}, {"name": "T", "cells": [[format!("=SUM( S!{area} )")]]},
        ]}));
        let (after, preview) = edited(&workbook, &[operation]);
        let sheet = usize::from(!is_own);
        let texts = after["sheets"][sheet]["cells"].as_array().expect("rows").iter().flat_map(|row| row.as_array().expect("cells"));
        let text = texts.filter_map(Value::as_str).find(|text| !text.is_empty()).expect("the formula");
        let later = text.trim_start_matches("=SUM( ").trim_end_matches(" )").trim_start_matches("S!");
        let (rows, columns) = (expected(&before.0, &serials.rows), expected(&before.1, &serials.columns));
        let is_lost = (rows.is_empty() && !before.0.is_empty()) || (columns.is_empty() && !before.1.is_empty());
        prop_assert_eq!(serials.covered(later), (!is_lost).then_some((rows, columns)), "{} became {}", area, text);
        prop_assert_eq!(later.matches('$').count(), if is_lost { 0 } else { area.matches('$').count() });
        prop_assert_eq!(preview.warnings.iter().filter(|warning| warning.detail.contains(&area)).count() > 0, is_lost);
    }
}
