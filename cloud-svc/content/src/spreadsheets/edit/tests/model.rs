//! Plans of random operations have the result of a naive model, in which each cell carries all that it has.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{content, edited};

#[derive(Clone, Debug, Default, PartialEq)]
struct ModelCell {
    text: String,
    wraps: bool,
    is_number: bool,
}

#[derive(Clone, Debug)]
struct ModelSheet {
    name: String,
    rows: Vec<Vec<ModelCell>>,
    widths: Vec<i64>,
}

/// Random numbers of which an operation is made, and a text.
type Draw = (usize, [usize; 5], String);

fn column_name(column: usize) -> char {
    char::from(b'A' + u8::try_from(column).expect("small"))
}

/// Does to the model what the draw asks for, as far as it can be done, and says it as an operation.
fn step(sheets: &mut Vec<ModelSheet>, (kind, draw, text): &Draw, serial: usize) -> Option<Value> {
    let count = sheets.len();
    let index = draw[0] % count;
    let (height, width) = (sheets[index].rows.len(), sheets[index].rows[0].len());
    let name = sheets[index].name.clone();
    // One row and one column further than the sheet.
    let (row, column) = (draw[1] % (height + 1), draw[2] % (width + 1));
    let (more_rows, more_columns) = (draw[3] % 3, draw[4] % 3);
    let range =
        format!("{}{}:{}{}", column_name(column), row + 1, column_name(column + more_columns), row + more_rows + 1);
    let each = |sheet: &mut ModelSheet, change: &dyn Fn(&mut ModelCell)| {
        for line in sheet.rows.iter_mut().skip(row).take(more_rows + 1) {
            line.iter_mut().skip(column).take(more_columns + 1).for_each(change);
        }
    };
    let fits = row + more_rows < height && column + more_columns < width;
    let sheet = &mut sheets[index];
    Some(match kind {
        0 => {
            let (tall, wide) = if text.is_empty() {
                (height, width)
            } else {
                (height.max(row + more_rows + 1), width.max(column + more_columns + 1))
            };
            sheet.rows.resize(tall, Vec::new());
            sheet.rows.iter_mut().for_each(|line| line.resize(wide, ModelCell::default()));
            each(sheet, &|cell| cell.text.clone_from(text));
            let values = vec![vec![text; more_columns + 1]; more_rows + 1];
            json!({"op": "set_cells", "sheet": name, "range": range, "values": values})
        }
        1 => {
            each(sheet, &|cell| cell.text.clear());
            json!({"op": "clear_range", "sheet": name, "range": range})
        }
        2 => {
            for _ in 0..=more_rows {
                sheet.rows.insert(row, vec![ModelCell::default(); width]);
            }
            json!({"op": "insert_rows", "sheet": name, "row": row + 1, "count": more_rows + 1})
        }
        3 if row < height && row + more_rows < height && more_rows + 1 < height => {
            (0..=more_rows).for_each(|_| drop(sheet.rows.remove(row)));
            json!({"op": "delete_rows", "sheet": name, "row": row + 1, "count": more_rows + 1})
        }
        4 => {
            for _ in 0..=more_columns {
                sheet.rows.iter_mut().for_each(|line| line.insert(column, ModelCell::default()));
                if column < sheet.widths.len() {
                    sheet.widths.insert(column, sheet.widths[if column == 0 { 0 } else { column - 1 }]);
                }
            }
            json!({"op": "insert_columns", "sheet": name, "column": column_name(column), "count": more_columns + 1})
        }
        5 if column + more_columns < width && more_columns + 1 < width => {
            for _ in 0..=more_columns {
                sheet.rows.iter_mut().for_each(|line| drop(line.remove(column)));
                if column < sheet.widths.len() {
                    sheet.widths.remove(column);
                }
            }
            json!({"op": "delete_columns", "sheet": name, "column": column_name(column), "count": more_columns + 1})
        }
        6 if count < 4 => {
            let rows =
                vec![vec![ModelCell { text: text.clone(), ..ModelCell::default() }; more_columns + 1]; more_rows + 1];
            let name = format!("N{serial}");
            let cells = vec![vec![text; more_columns + 1]; more_rows + 1];
            let value = json!({"op": "add_sheet", "name": name, "cells": cells, "index": index});
            sheets.insert(index, ModelSheet { name, rows, widths: Vec::new() });
            value
        }
        7 => {
            sheet.name = format!("R{serial}");
            json!({"op": "rename_sheet", "sheet": name, "name": sheet.name})
        }
        8 if count > 1 => {
            sheets.remove(index);
            json!({"op": "delete_sheet", "sheet": name})
        }
        9 if fits => {
            each(sheet, &|cell| cell.wraps = !text.is_empty());
            let mut value = json!({"op": "set_format", "sheet": name, "range": range});
            if !text.is_empty() {
                value["wrap"] = json!(true);
            }
            value
        }
        10 if fits => {
            each(sheet, &|cell| cell.is_number = !text.is_empty());
            let rule = if text.is_empty() { Value::Null } else { json!({"type": "number"}) };
            json!({"op": "set_validation", "sheet": name, "range": range, "rule": rule})
        }
        11 => {
            sheet.widths = draw.iter().take(more_columns).map(|width| i64::try_from(*width).expect("small")).collect();
            json!({"op": "set_widths", "sheet": name, "widths": sheet.widths})
        }
        _ => return None,
    })
}

/// The model as content, in the form in which entries are by cell.
fn as_content(sheets: &[ModelSheet]) -> Value {
    let (mut formats, mut validation, mut widths) = (Map::new(), Map::new(), Map::new());
    let mut shown = Vec::new();
    for (index, sheet) in sheets.iter().enumerate() {
        for (row, line) in sheet.rows.iter().enumerate() {
            for (column, cell) in line.iter().enumerate() {
                let key = format!("{index}:{row}:{column}");
                if cell.wraps {
                    formats.insert(key.clone(), json!({"wrap": true}));
                }
                if cell.is_number {
                    validation.insert(key, json!({"type": "number"}));
                }
            }
        }
        if !sheet.widths.is_empty() {
            widths.insert(index.to_string(), json!(sheet.widths));
        }
        let cells: Vec<Vec<&str>> =
            sheet.rows.iter().map(|line| line.iter().map(|cell| cell.text.as_str()).collect()).collect();
        shown.push(json!({"name": sheet.name, "cells": cells}));
    }
    json!({"kind": "sheets", "sheets": shown, "formats": formats, "validation": validation, "widths": widths})
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_plan_of_any_operations_comes_to_what_the_model_comes_to(
        draws in proptest::collection::vec(
            (0usize..12, proptest::array::uniform5(0usize..600), "|[a-zé]{1,3}|=SUM\\(A1\\)|1"), 1..12,
        ),
        in_lists: bool,
    ) {
        let full = ModelCell { text: "x".to_owned(), wraps: true, is_number: true };
        let mut model = vec![
            ModelSheet { name: "One".to_owned(), rows: vec![vec![ModelCell::default(); 2]; 3], widths: vec![5, 6] },
            ModelSheet { name: "Two".to_owned(), rows: vec![vec![full]], widths: vec![7] },
        ];
        let mut before = as_content(&model);
        if in_lists {
            before["widths"] = json!([[5, 6], [7]]);
        }
        let steps = draws.iter().enumerate().filter_map(|(serial, draw)| step(&mut model, draw, serial));
        let operations: Vec<Value> = steps.collect();
        let (mut after, preview) = edited(&content(&before), &operations);
        let expected = as_content(&model);
        if in_lists {
            let lists = after["widths"].as_array().expect("lists").iter().enumerate();
            let lists = lists.filter(|(_, list)| **list != json!([]));
            after["widths"] = lists.map(|(index, list)| (index.to_string(), list.clone())).collect();
        }
        prop_assert_eq!(&after, &expected);
        // Each difference was reported.
        prop_assert!(!preview.changes.is_empty() || before["sheets"] == after["sheets"]);
    }
}
