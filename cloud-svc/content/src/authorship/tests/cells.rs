//! Cells, by a replay in which each cell carries its writer along.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::histories::{Version, check, config, steps};
use crate::{
    authorship::runs::Writer,
    spreadsheets::{a1::range::CellRange, content::SpreadsheetContent},
    test_support::plans::{carry_out, content},
};

/// What a cell was at the beginning of a plan, and whether the plan writes it.
#[derive(Clone, Debug)]
struct Carried {
    from: Option<(Writer, String)>,
    is_written: bool,
}

type Sheet = (String, Vec<Vec<Carried>>);

const NEW: Carried = Carried { from: None, is_written: true };

fn begin(content: &SpreadsheetContent, writers: &[Writer], is_written: bool) -> Vec<Sheet> {
    let mut writers = writers.iter();
    let mut cell =
        |text: &String| Carried { from: Some((*writers.next().expect("a writer"), text.clone())), is_written };
    let mut sheets = Vec::new();
    for sheet in &content.sheets {
        let mut rows = Vec::new();
        for row in &sheet.cells {
            rows.push(row.iter().map(&mut cell).collect());
        }
        sheets.push((sheet.name.clone(), rows));
    }
    sheets
}

fn step(sheets: &mut Vec<Sheet>, operation: &Value) {
    let number = |member: &str| operation[member].as_u64().map(|number| number as usize);
    let name = operation["sheet"].as_str().unwrap_or_default();
    let op = operation["op"].as_str().expect("an op");
    if op == "add_sheet" {
        sheets.push((operation["name"].as_str().expect("a name").to_owned(), Vec::new()));
        return;
    }
    let place = sheets.iter().position(|sheet| sheet.0 == name).expect("the sheet");
    let column = operation["column"].as_str().map_or(0, |column| usize::from(column.as_bytes()[0] - b'A'));
    let (row, count) = (number("row").unwrap_or(1) - 1, number("count").unwrap_or(0));
    let rows = &mut sheets[place].1;
    match op {
        "rename_sheet" => sheets[place].0 = operation["name"].as_str().expect("a name").to_owned(),
        "delete_sheet" => drop(sheets.remove(place)),
        "insert_rows" => {
            let width = rows[0].len();
            drop(rows.splice(row..row, vec![vec![NEW; width]; count]));
        }
        "delete_rows" => drop(rows.drain(row..row + count)),
        "insert_columns" => rows.iter_mut().for_each(|row| drop(row.splice(column..column, vec![NEW; count]))),
        "delete_columns" => rows.iter_mut().for_each(|row| drop(row.drain(column..column + count))),
        _ => {
            let range: CellRange = operation["range"].as_str().expect("a range").parse().expect("a range");
            // A fill does not write the cell that it copies.
            let copied = operation["from"].as_str().map(|from| from.parse::<CellRange>().expect("a cell").first());
            for cell in range.cells().filter(|cell| Some(*cell) != copied) {
                if let Some(carried) = rows.get_mut(cell.row).and_then(|row| row.get_mut(cell.column)) {
                    carried.is_written = true;
                }
            }
        }
    }
}

/// Makes the model as large as the real sheets, which grow where text is written.
fn grow(sheets: &mut [Sheet], content: &SpreadsheetContent) {
    for (name, rows) in sheets {
        let sheet = content.sheet(name).expect("the sheet").1;
        rows.iter_mut().for_each(|row| row.resize(sheet.columns(), NEW));
        rows.resize(sheet.rows(), vec![NEW; sheet.columns()]);
    }
}

fn replayed(
    before: &SpreadsheetContent,
    writers: &[Writer],
    version: &Version<SpreadsheetContent>,
    this: Writer,
) -> Vec<Writer> {
    let mut sheets = begin(before, writers, version.operations.is_none());
    for count in 0..version.operations.as_ref().map_or(0, Vec::len) {
        let operations = version.operations.as_ref().expect("operations");
        let (content, _) = carry_out(before, &operations[..=count]).expect("possible");
        step(&mut sheets, &operations[count]);
        grow(&mut sheets, &content);
    }
    let mut found = Vec::new();
    for sheet in &version.content.sheets {
        let carried = sheets.iter().find(|carried| carried.0 == sheet.name);
        for (cell, text) in sheet.texts() {
            let carried = carried.and_then(|carried| carried.1.get(cell.row)?.get(cell.column));
            found.push(match carried {
                Some(Carried { from: Some((writer, old)), is_written }) if !is_written || old == text => *writer,
                _ => this,
            });
        }
    }
    found
}

fn operation() -> impl Strategy<Value = Value> {
    let name = || prop_oneof!["S", "T", "U"];
    let range = || {
        (0..5_u8, 0..3_u8, 1..6, 0..2).prop_map(|(column, more, row, rows)| {
            let letter = |column| char::from(b'A' + column);
            format!("{}{row}:{}{}", letter(column), letter(column + more), row + rows)
        })
    };
    let text = || prop_oneof!["", "x", "1", "=A1", "=SUM\\(A1:B2\\)", "=S!B2"];
    let lines = || (1..6, 1..3);
    prop_oneof![
        3 => (name(), range(), proptest::collection::vec(text(), 6)).prop_map(|(sheet, range, texts)| {
            let cells: CellRange = range.parse().expect("a range");
            let mut texts = texts.into_iter();
            let values: Vec<Vec<_>> = cells.rows().map(|_| cells.columns().map(|_| texts.next()).collect()).collect();
            json!({"op": "set_cells", "sheet": sheet, "range": range, "values": values})
        }),
        1 => (name(), range()).prop_map(|(sheet, range)| json!({"op": "fill", "sheet": sheet, "from": "A1", "range": range})),
        1 => (name(), range()).prop_map(|(sheet, range)| json!({"op": "clear_range", "sheet": sheet, "range": range})),
        2 => (name(), "insert_rows|delete_rows", lines()).prop_map(|(sheet, op, (row, count))| {
            json!({"op": op, "sheet": sheet, "row": row, "count": count})
        }),
        2 => (name(), "insert_columns|delete_columns", "[A-E]", 1..3).prop_map(|(sheet, op, column, count)| {
            json!({"op": op, "sheet": sheet, "column": column, "count": count})
        }),
        1 => (name(), proptest::collection::vec(text(), 2)).prop_map(|(name, texts)| {
            json!({"op": "add_sheet", "name": name, "cells": [texts], "index": 0})
        }),
        1 => (name(), name()).prop_map(|(sheet, name)| json!({"op": "rename_sheet", "sheet": sheet, "name": name})),
        1 => name().prop_map(|sheet| json!({"op": "delete_sheet", "sheet": sheet})),
    ]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn cells_keep_their_writers(steps in steps(operation())) {
        let cells = json!([["a", "b", "=A1"], ["c", "=SUM(A1:A2)", ""], ["", "d", "=T!A1"]]);
        let base = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}, {"name": "T", "cells": [["t"]]}]});
        check::<SpreadsheetContent>(content(&base), steps, replayed)?;
    }
}
