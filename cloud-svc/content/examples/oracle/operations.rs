//! Random operations that fit a workbook.

use cloud_content::spreadsheets::{
    a1::{cell::Cell, column::letters},
    content::{SpreadsheetContent, sheet::Sheet},
    edit::operation::SpreadsheetOperation,
};
use serde_json::{Value, json};
use shared_model::json_reader;

use crate::{
    dice::Dice,
    workbooks::{self, EVERYWHERE, NAMES},
};

// Small sheets stay small, so that most references are to cells that have something.
const MOST: usize = 12;

pub fn operation(dice: &mut Dice, content: &SpreadsheetContent) -> SpreadsheetOperation {
    loop {
        if let Some(operation) = attempt(dice, content) {
            return json_reader::read(&operation).expect("an operation");
        }
    }
}

fn attempt(dice: &mut Dice, content: &SpreadsheetContent) -> Option<Value> {
    let sheet = dice.pick(&content.sheets);
    let names: Vec<String> = content.sheets.iter().map(|sheet| sheet.name.clone()).collect();
    match dice.below(12) {
        0..=3 => lines(dice, sheet, "rows"),
        4..=6 => lines(dice, sheet, "columns"),
        7 => {
            let name = free_name(dice, &names)?;
            Some(json!({"op": "rename_sheet", "sheet": sheet.name, "name": name}))
        }
        8 if names.len() > 1 && dice.once_in(3) => Some(json!({"op": "delete_sheet", "sheet": sheet.name})),
        9 if names.len() < 4 && dice.once_in(2) => {
            let name = free_name(dice, &names)?;
            let text = workbooks::text(dice, &names, EVERYWHERE);
            Some(json!({"op": "add_sheet", "name": name, "cells": [[text]], "index": dice.below(names.len() + 1)}))
        }
        10 => {
            let cell = |dice: &mut Dice| Cell { row: dice.below(sheet.rows()), column: dice.below(sheet.columns()) };
            let (from, one, other) = (cell(dice), cell(dice), cell(dice));
            let first = Cell { row: one.row.min(other.row), column: one.column.min(other.column) };
            let last = Cell { row: one.row.max(other.row), column: one.column.max(other.column) };
            let range = format!("{first}:{last}");
            Some(json!({"op": "fill", "sheet": sheet.name, "from": from.to_string(), "range": range}))
        }
        _ => {
            let cell = Cell { row: dice.below(sheet.rows()), column: dice.below(sheet.columns()) };
            let text = workbooks::text(dice, &names, EVERYWHERE);
            Some(json!({"op": "set_cells", "sheet": sheet.name, "range": cell.to_string(), "values": [[text]]}))
        }
    }
}

fn lines(dice: &mut Dice, sheet: &Sheet, word: &str) -> Option<Value> {
    let is_rows = word == "rows";
    let has = if is_rows { sheet.rows() } else { sheet.columns() };
    let deletes = has > 1 && dice.once_in(2);
    if !deletes && has >= MOST {
        return None;
    }
    let at = dice.below(if deletes { has } else { has + 1 });
    let count = 1 + dice.below(if deletes { (has - at).min(has - 1) } else { 2 });
    let verb = if deletes { "delete" } else { "insert" };
    Some(if is_rows {
        json!({"op": format!("{verb}_rows"), "sheet": sheet.name, "row": at + 1, "count": count})
    } else {
        json!({"op": format!("{verb}_columns"), "sheet": sheet.name, "column": letters(at), "count": count})
    })
}

fn free_name(dice: &mut Dice, names: &[String]) -> Option<String> {
    let name = (*dice.pick(&NAMES)).to_owned();
    (!names.contains(&name)).then_some(name)
}
