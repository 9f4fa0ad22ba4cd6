//! Plans of random operations have the result of a naive model, in which each cell carries all that it has.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{content, edited};

/// A formula with one reference, which knows its cell by serial numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ModelFormula {
    sheet: usize,
    names_sheet: bool,
    /// The row and column; `None` if they were never there.
    cell: Option<(usize, usize)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct ModelCell {
    text: String,
    formula: Option<ModelFormula>,
    wraps: bool,
    is_number: bool,
}

#[derive(Clone, Debug)]
struct ModelSheet {
    serial: usize,
    name: String,
    rows: Vec<Vec<ModelCell>>,
    widths: Vec<i64>,
    /// The serial numbers of more rows and columns than the sheet ever has.
    row_serials: Vec<usize>,
    column_serials: Vec<usize>,
}

impl ModelSheet {
    fn new(serial: usize, name: &str, rows: Vec<Vec<ModelCell>>, widths: Vec<i64>) -> Self {
        let (row_serials, column_serials) = ((0..200).collect(), (0..200).collect());
        Self { serial, name: name.to_owned(), rows, widths, row_serials, column_serials }
    }

    /// The cell at a place, by its serial numbers.
    fn cell_at(&self, row: Option<usize>, column: Option<usize>) -> Option<(usize, usize)> {
        Some((*self.row_serials.get(row?)?, *self.column_serials.get(column?)?))
    }

    fn place_of(&self, (row, column): (usize, usize)) -> Option<(usize, usize)> {
        let place = |serials: &[usize], serial| serials.iter().position(|one| *one == serial);
        Some((place(&self.row_serials, row)?, place(&self.column_serials, column)?))
    }

    /// The name as formulas write it.
    fn written(&self) -> String {
        if self.name.contains(' ') { format!("'{}'", self.name) } else { self.name.clone() }
    }
}

impl ModelFormula {
    fn text(&self, sheets: &[ModelSheet]) -> String {
        let Some(sheet) = sheets.iter().find(|sheet| sheet.serial == self.sheet) else {
            return "=SUM(#REF!)".to_owned();
        };
        let name = if self.names_sheet { format!("{}!", sheet.written()) } else { String::new() };
        let place = self.cell.and_then(|cell| sheet.place_of(cell));
        let address =
            place.map_or("#REF!".to_owned(), |(row, column)| format!("{}{}", column_letters(column), row + 1));
        format!("=SUM({name}{address})")
    }
}

/// The cell that a drawn text makes: `own` and `other` are formulas that refer to cells of this and the first sheet.
fn written_cell(text: &str, own: usize, sheets: &[ModelSheet]) -> (String, Option<ModelFormula>) {
    let formula = |index: usize, names_sheet, row, column| {
        let sheet: &ModelSheet = &sheets[index];
        ModelFormula { sheet: sheet.serial, names_sheet, cell: sheet.cell_at(Some(row), Some(column)) }
    };
    let formula = match text {
        "own" => formula(own, false, 0, 0),
        "other" => formula(0, true, 1, 1),
        _ => return (text.to_owned(), None),
    };
    (formula.text(sheets), Some(formula))
}

fn column_letters(column: usize) -> String {
    let last = char::from(b'A' + u8::try_from(column % 26).expect("small"));
    if column < 26 { last.to_string() } else { format!("{}{last}", column_letters(column / 26 - 1)) }
}

/// Random numbers of which an operation is made, and a text.
type Draw = (usize, [usize; 5], String);

/// Does to the model what the draw asks for, as far as it can be done, and says it as an operation.
fn step(sheets: &mut Vec<ModelSheet>, (kind, draw, text): &Draw, serial: usize) -> Option<Value> {
    let count = sheets.len();
    let index = draw[0] % count;
    let (height, width) = (sheets[index].rows.len(), sheets[index].rows[0].len());
    let name = sheets[index].name.clone();
    // One row and one column further than the sheet.
    let (row, column) = (draw[1] % (height + 1), draw[2] % (width + 1));
    let (more_rows, more_columns) = (draw[3] % 3, draw[4] % 3);
    let range = format!(
        "{}{}:{}{}",
        column_letters(column),
        row + 1,
        column_letters(column + more_columns),
        row + more_rows + 1
    );
    let each = |sheet: &mut ModelSheet, change: &dyn Fn(&mut ModelCell)| {
        for line in sheet.rows.iter_mut().skip(row).take(more_rows + 1) {
            line.iter_mut().skip(column).take(more_columns + 1).for_each(change);
        }
    };
    let fits = row + more_rows < height && column + more_columns < width;
    let (text, formula) = written_cell(text, index, sheets);
    let serials = |count: usize| (0..count).map(move |one| 1000 + serial * 10 + one);
    if *kind == 12 {
        return Some(fill(sheets, index, (row, column), (more_rows, more_columns)));
    }
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
            each(sheet, &|cell| (cell.text, cell.formula) = (text.clone(), formula));
            let values = vec![vec![text; more_columns + 1]; more_rows + 1];
            json!({"op": "set_cells", "sheet": name, "range": range, "values": values})
        }
        1 => {
            each(sheet, &|cell| (cell.text, cell.formula) = (String::new(), None));
            json!({"op": "clear_range", "sheet": name, "range": range})
        }
        2 => {
            for _ in 0..=more_rows {
                sheet.rows.insert(row, vec![ModelCell::default(); width]);
            }
            sheet.row_serials.splice(row..row, serials(more_rows + 1));
            json!({"op": "insert_rows", "sheet": name, "row": row + 1, "count": more_rows + 1})
        }
        3 if row < height && row + more_rows < height && more_rows + 1 < height => {
            (0..=more_rows).for_each(|_| drop(sheet.rows.remove(row)));
            sheet.row_serials.drain(row..=row + more_rows);
            json!({"op": "delete_rows", "sheet": name, "row": row + 1, "count": more_rows + 1})
        }
        4 => {
            for _ in 0..=more_columns {
                sheet.rows.iter_mut().for_each(|line| line.insert(column, ModelCell::default()));
                if column < sheet.widths.len() {
                    sheet.widths.insert(column, sheet.widths[if column == 0 { 0 } else { column - 1 }]);
                }
            }
            sheet.column_serials.splice(column..column, serials(more_columns + 1));
            json!({"op": "insert_columns", "sheet": name, "column": column_letters(column), "count": more_columns + 1})
        }
        5 if column + more_columns < width && more_columns + 1 < width => {
            for _ in 0..=more_columns {
                sheet.rows.iter_mut().for_each(|line| drop(line.remove(column)));
                if column < sheet.widths.len() {
                    sheet.widths.remove(column);
                }
            }
            sheet.column_serials.drain(column..=column + more_columns);
            json!({"op": "delete_columns", "sheet": name, "column": column_letters(column), "count": more_columns + 1})
        }
        // Of a sheet that is added, formulas without a name would refer to itself.
        6 if count < 4 && formula.is_none_or(|formula| formula.names_sheet) => {
            let cell = ModelCell { text: text.clone(), formula, ..ModelCell::default() };
            let rows = vec![vec![cell; more_columns + 1]; more_rows + 1];
            let name = format!("New_{serial}");
            let cells = vec![vec![text; more_columns + 1]; more_rows + 1];
            let value = json!({"op": "add_sheet", "name": name, "cells": cells, "index": index});
            sheets.insert(index, ModelSheet::new(serial + 2, &name, rows, Vec::new()));
            value
        }
        7 => {
            // With a blank or without: only one of them is written in quotation marks.
            sheet.name = if text.is_empty() { format!("R_{serial}") } else { format!("R {serial}") };
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

/// Copies the cell at a place to the range that begins there.
fn fill(sheets: &mut [ModelSheet], index: usize, (row, column): (usize, usize), more: (usize, usize)) -> Value {
    let address = |row: usize, column: usize| format!("{}{}", column_letters(column), row + 1);
    let sheet = &sheets[index];
    let source = sheet.rows.get(row).and_then(|line| line.get(column)).cloned().unwrap_or_default();
    // Where the formula refers to, on its sheet and seen from its own place.
    let target = source.formula.and_then(|formula| {
        let of = sheets.iter().find(|sheet| sheet.serial == formula.sheet)?;
        Some((of.clone(), of.place_of(formula.cell?)?))
    });
    let sheet = &mut sheets[index];
    let (height, width) = (sheet.rows.len(), sheet.rows[0].len());
    if !source.text.is_empty() {
        let (tall, wide) = (height.max(row + more.0 + 1), width.max(column + more.1 + 1));
        sheet.rows.resize(tall, Vec::new());
        sheet.rows.iter_mut().for_each(|line| line.resize(wide, ModelCell::default()));
    }
    for down in 0..=more.0 {
        for right in 0..=more.1 {
            let Some(cell) = sheet.rows.get_mut(row + down).and_then(|line| line.get_mut(column + right)) else {
                continue;
            };
            let formula = source.formula.map(|formula| ModelFormula {
                cell: target
                    .as_ref()
                    .and_then(|(of, (row, column))| of.cell_at(Some(row + down), Some(column + right))),
                ..formula
            });
            (cell.text, cell.formula) = (source.text.clone(), formula);
        }
    }
    let range = format!("{}:{}", address(row, column), address(row + more.0, column + more.1));
    json!({"op": "fill", "sheet": sheet.name, "from": address(row, column), "range": range})
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
        let text = |cell: &ModelCell| cell.formula.map_or_else(|| cell.text.clone(), |formula| formula.text(sheets));
        let cells: Vec<Vec<String>> = sheet.rows.iter().map(|line| line.iter().map(text).collect()).collect();
        shown.push(json!({"name": sheet.name, "cells": cells}));
    }
    json!({"kind": "sheets", "sheets": shown, "formats": formats, "validation": validation, "widths": widths})
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_plan_of_any_operations_comes_to_what_the_model_comes_to(
        draws in proptest::collection::vec(
            (0usize..13, proptest::array::uniform5(0usize..600), "|[a-zé]{1,2}|own|other|1"), 1..12,
        ),
        in_lists: bool,
    ) {
        let full = ModelCell { text: "x".to_owned(), formula: None, wraps: true, is_number: true };
        let mut model = vec![
            ModelSheet::new(0, "One", vec![vec![ModelCell::default(); 2]; 3], vec![5, 6]),
            ModelSheet::new(1, "Two", vec![vec![full]], vec![7]),
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
