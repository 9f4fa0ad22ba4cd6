//! Random workbooks with operations, with the formulas and values that LibreOffice Calc had for them.

use serde::Deserialize;
use shared_model::json_reader;

use crate::{
    Content as _,
    preview::Preview,
    spreadsheets::{
        compute::{Computed, Value, Workbook},
        content::{SpreadsheetContent, sheet::Sheet},
    },
};

// `./test oracle --keep 500` writes them.
const CASES: &str = include_str!("../../../../tests/data/calc.json");

#[derive(Deserialize)]
struct Case {
    seed: u64,
    content: SpreadsheetContent,
    operations: Vec<serde_json::Value>,
    after: Vec<Sheet>,
    values: Vec<Vec<Vec<Computed>>>,
}

#[test]
fn formulas_and_values_are_those_of_calc() {
    let cases: Vec<Case> = serde_json::from_str(CASES).expect("cases");
    assert_eq!(cases.len(), 500);
    for Case { seed, mut content, operations, after, values } in cases {
        for operation in &operations {
            let operation = json_reader::read(operation).expect("an operation");
            content.edit(&operation, &mut Preview::default()).expect("the operation is allowed");
        }
        assert_eq!(content.sheets, after, "seed {seed}");
        let mut workbook = Workbook::new(&content);
        for (index, sheet) in after.iter().enumerate() {
            for (cell, text) in sheet.texts().filter(|(_, text)| text.starts_with('=')) {
                let ours = workbook.value(index, cell).expect("within the bound");
                let calc = &values[index][cell.row][cell.column];
                assert!(is_alike(&ours, calc), "seed {seed}, {}!{cell} {text}: {ours:?}, Calc {calc:?}", sheet.name);
            }
        }
    }
}

/// Calc's booleans are numbers that are shown as words.
fn is_alike(ours: &Value, calc: &Computed) -> bool {
    let number = match ours {
        Value::Blank => 0.0,
        Value::Boolean(boolean) => f64::from(*boolean),
        Value::Number(number) => *number,
        other => return Computed::from(other) == *calc,
    };
    let calc = calc.value.as_ref().and_then(serde_json::Value::as_f64);
    // A sum or a power may differ in its last bit from one machine to another.
    calc.is_some_and(|calc| (number - calc).abs() <= 1e-15 * calc.abs())
}
