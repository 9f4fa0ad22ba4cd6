//! Which formulas may be written: a small language, and nothing outside of it.
//!
//! Formulas are kept as they are sent and never calculated here. Who opens the workbook elsewhere calculates them, so a
//! formula must not reach beyond the workbook: no function but eight, no name, no other workbook, no address on the network.

pub mod error;
mod parser;
pub mod sheet_names;
#[cfg(test)]
mod tests;

use shared_model::{Problem, Problems};

use self::{error::FormulaError, sheet_names::SheetNames};

/// Whether a cell with this text is a formula.
pub fn is_formula(text: &str) -> bool {
    text.starts_with('=')
}

/// Checks a formula in a workbook that has these sheets.
pub fn check(formula: &str, sheets: &SheetNames) -> Result<(), FormulaError> {
    parser::check(formula, sheets)
}

/// What is wrong with the formulas among the texts of cells; `pointer` says where a cell is.
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
