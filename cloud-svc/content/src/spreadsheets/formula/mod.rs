//! The formulas that a cell may have: a small language.

// Formulas are stored as sent and never calculated here. Another program calculates them when it opens the workbook.
// So a formula must not reach beyond the workbook: eight functions, no names, no other workbook, no network address.

pub mod error;
mod parser;
pub mod pieces;
pub mod sheet_names;
#[cfg(test)]
mod tests;

use shared_model::{Problem, Problems};

use self::{error::FormulaError, sheet_names::SheetNames};

pub fn is_formula(text: &str) -> bool {
    text.starts_with('=')
}

pub fn check(formula: &str, sheets: &SheetNames) -> Result<(), FormulaError> {
    parser::check(formula, sheets)
}

/// The problems of all formulas among the texts of cells; `pointer` gives the JSON pointer of a cell.
pub fn problems<'a, K>(
    texts: impl Iterator<Item = (K, &'a str)>,
    sheets: &SheetNames,
    pointer: impl Fn(K) -> String,
) -> Vec<Problem> {
    let problems = Problems::default();
    for (key, text) in texts.filter(|(_, text)| is_formula(text)) {
        if let Err(error) = check(text, sheets) {
            problems.note(pointer(key), error.to_string());
        }
    }
    problems.into_vec()
}
