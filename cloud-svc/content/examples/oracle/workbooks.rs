//! Random workbooks.

use cloud_content::spreadsheets::content::{SpreadsheetContent, SpreadsheetKind, sheet::Sheet};

use crate::{
    dice::Dice,
    formulas::{self, Scope},
};

pub const NAMES: [&str; 7] = ["Budget", "Summary", "Two words", "It's", "Ärger", "R1C1", "2026"];

const TEXTS: [&str; 26] = [
    "abc",
    "ABC",
    "b",
    "é",
    "e",
    "ß",
    "a-b",
    "a b",
    "ab",
    "Rent",
    " 5 ",
    "12",
    "1,200",
    "12%",
    "2026-11-24",
    "1e3 ",
    "TRUE ",
    "x1",
    "-",
    "'",
    "\"",
    "日本",
    "#REF!",
    "0",
    "-3.5",
    "zz",
];

/// For formulas that refer to any row.
pub const EVERYWHERE: usize = 8;

pub fn workbook(dice: &mut Dice) -> SpreadsheetContent {
    // Formulas of tidy workbooks refer to rows above them, so that none depends on itself.
    let is_tidy = !dice.once_in(4);
    let count = 1 + dice.below(3);
    let start = dice.below(NAMES.len());
    let sheets: Vec<(String, usize, usize)> = (0..count)
        .map(|index| {
            let name = NAMES[(start + index) % NAMES.len()].to_owned();
            (name, 1 + dice.below(6), 1 + dice.below(5))
        })
        .collect();
    let names: Vec<String> = sheets.iter().map(|(name, ..)| name.clone()).collect();
    let sheets = sheets
        .into_iter()
        .map(|(name, rows, columns)| {
            let text = |dice: &mut Dice, row| text(dice, &names, if is_tidy { row } else { EVERYWHERE });
            let row = |row| (0..columns).map(|_| text(dice, row)).collect();
            Sheet { name, cells: (0..rows).map(row).collect() }
        })
        .collect();
    SpreadsheetContent {
        kind: SpreadsheetKind::Sheets,
        sheets,
        formats: None,
        validation: None,
        widths: None,
        univer: None,
    }
}

/// The text of a cell. A formula refers to the first `rows` rows.
pub fn text(dice: &mut Dice, sheets: &[String], rows: usize) -> String {
    match dice.below(10) {
        0 => String::new(),
        1..=3 => number(dice),
        4 if dice.once_in(2) => (*dice.pick(&TEXTS)).to_owned(),
        5 if dice.once_in(3) => (*dice.pick(&["TRUE", "FALSE"])).to_owned(),
        _ if rows == 0 => number(dice),
        _ => formulas::formula(dice, &Scope { sheets, rows }),
    }
}

/// Without zeros at its end, as Calc writes it.
pub fn number(dice: &mut Dice) -> String {
    let size = *dice.pick(&[10, 100, 10_000, 1_000_000_000]);
    let digits = dice.below(size);
    let sign = *dice.pick(&["", "", "", "-"]);
    match dice.below(5) {
        0 => format!("{sign}{digits}.{}5", dice.below(1000)),
        1 => format!("{sign}0.{digits}3"),
        2 => format!("{sign}{}.5", dice.below(100)),
        3 => format!("{sign}{}.{}9", dice.below(100), dice.below(10)),
        _ => format!("{sign}{digits}"),
    }
}
