//! Makes random workbooks with operations, and says what they become: one JSON object a line.
//!
//! `oracle SEED COUNT OPERATIONS`. `scripts/oracle.py` does the same with LibreOffice Calc and compares.

mod dice;
mod formulas;
mod operations;
mod workbooks;

use cloud_content::{
    Content as _,
    preview::Preview,
    spreadsheets::{
        compute::{Computed, Workbook},
        content::SpreadsheetContent,
    },
};
use serde_json::{Value, json};

use self::dice::Dice;

#[expect(clippy::print_stdout, reason = "the cases are its output")]
fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a number"));
    let mut next = || arguments.next().expect("usage: oracle SEED COUNT OPERATIONS");
    let (seed, count, operations) = (next(), next(), next());
    for seed in seed..seed + count {
        println!("{}", case(seed, operations));
    }
}

fn case(seed: u64, operations: u64) -> Value {
    let mut dice = Dice::new(seed);
    let before = workbooks::workbook(&mut dice);
    let mut after = before.clone();
    let mut done = Vec::new();
    for _ in 0..operations {
        let operation = operations::operation(&mut dice, &after);
        after.edit(&operation, &mut Preview::default()).expect("the operation is allowed");
        done.push(operation);
    }
    json!({
        "seed": seed,
        "content": before,
        "operations": done,
        "after": after.sheets,
        "computed": computed(&after),
    })
}

/// Rows of computed values, by sheet.
fn computed(content: &SpreadsheetContent) -> Vec<Vec<Vec<Computed>>> {
    let mut workbook = Workbook::new(content);
    let sheets = content.sheets.iter().enumerate();
    sheets
        .map(|(index, sheet)| {
            let mut rows = vec![Vec::new(); sheet.rows()];
            for (cell, _) in sheet.texts() {
                rows[cell.row].push(Computed::from(&workbook.value(index, cell).expect("within the bound")));
            }
            rows
        })
        .collect()
}
