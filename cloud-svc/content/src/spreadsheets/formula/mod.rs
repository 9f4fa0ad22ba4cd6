//! The formulas that a cell may have: a small language.

// Formulas are stored as sent. Other programs calculate them, too, when they open the workbook.
// So a formula must not reach beyond the workbook: eight functions, no names, no other workbook, no network address.

pub mod error;
mod parser;
pub mod pieces;
pub mod rewrite;
pub mod sheet_names;
#[cfg(test)]
mod tests;
pub mod tree;
mod written;

use shared_model::{Problem, Problems};

pub use self::parser::{COLUMNS, ROWS, can_be_referred_to};
use self::{
    error::FormulaError,
    sheet_names::SheetNames,
    tree::{Area, Expression},
};

pub fn is_formula(text: &str) -> bool {
    text.starts_with('=')
}

/// Reads a formula of a workbook that has these sheets.
pub fn parse(formula: &str, sheets: &SheetNames) -> Result<Expression, FormulaError> {
    parser::parse(formula, Some(sheets))
}

/// Reads a formula that may refer to sheets that do not exist.
pub fn parse_stored(formula: &str) -> Result<Expression, FormulaError> {
    parser::parse(formula, None)
}

pub fn check(formula: &str, sheets: &SheetNames) -> Result<(), FormulaError> {
    parse(formula, sheets).map(|_| ())
}

/// Whether a text is a formula that refers to cells which were deleted.
pub fn has_lost_reference(text: &str) -> bool {
    // Most formulas need not be parsed.
    let may_have = is_formula(text) && text.contains(parser::LOST);
    may_have && parse_stored(text).is_ok_and(|tree| tree.references().iter().any(|found| found.area == Area::Lost))
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
