mod bounds;
mod kept;
mod rules;

use serde_json::json;
use shared_model::json_reader;

use super::{Value, Workbook};
use crate::spreadsheets::{a1::cell::Cell, content::SpreadsheetContent};

/// A workbook of one sheet.
fn workbook(cells: &[Vec<String>]) -> SpreadsheetContent {
    let sheets = json!([{"name": "S", "cells": cells}]);
    json_reader::read(&json!({"kind": "sheets", "sheets": sheets})).expect("a workbook")
}

/// The values of all cells of the first sheet, as people read them.
fn values(content: &SpreadsheetContent) -> Vec<Vec<String>> {
    let mut workbook = Workbook::new(content);
    let sheet = &content.sheets[0];
    let mut value = |row, column| workbook.value(0, Cell { row, column }).expect("within the bound").shown();
    (0..sheet.rows()).map(|row| (0..sheet.columns()).map(|column| value(row, column)).collect()).collect()
}

/// The value of a formula beside cells: `cells` are A1, A2, …, and the formula is B1.
fn value_of(formula: &str, cells: &[&str]) -> Value {
    let height = cells.len().max(1);
    let mut rows: Vec<Vec<String>> =
        (0..height).map(|row| vec![cells.get(row).copied().unwrap_or_default().to_owned(), String::new()]).collect();
    rows[0][1] = formula.to_owned();
    Workbook::new(&workbook(&rows)).value(0, Cell { row: 0, column: 1 }).expect("within the bound")
}
