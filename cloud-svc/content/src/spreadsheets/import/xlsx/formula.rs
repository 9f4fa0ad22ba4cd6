//! The formulas of a sheet, in our grammar or not at all.

use std::{borrow::Cow, collections::HashMap};

use calamine::{Dimensions, XlsxFormulaMetadata, expand_shared_formula};

use crate::spreadsheets::{
    content::CONTENT_BYTES,
    formula::{
        self,
        pieces::{Piece, pieces},
        sheet_names::SheetNames,
    },
};

// The longest text of a cell.
const CHARACTERS: usize = 10_000;

/// Formulas that several cells share. The first cell has the formula; the others use it as if it were copied there.
// Not the reader's own list: it is as long as the highest index in the workbook, which may be any number.
#[derive(Default)]
pub struct SharedFormulas {
    known: HashMap<usize, ((u32, u32), String)>,
    bytes: usize,
}

pub enum Found {
    /// With its `=`.
    Formula(String),
    /// The source, and what it is that we do not have.
    Foreign(String, &'static str),
}

const FOREIGN: &str = "the formula";
const ARRAY: &str = "the formula for several cells";

impl SharedFormulas {
    /// The formula of the cell at `at`; `None` if it is empty, or a value.
    pub fn resolve(
        &mut self,
        at: (u32, u32),
        formula: XlsxFormulaMetadata,
        is_array: bool,
        sheets: &SheetNames,
    ) -> Option<Found> {
        let source = match formula {
            XlsxFormulaMetadata::Normal { formula } => formula,
            XlsxFormulaMetadata::Shared { shared_index, range, formula } => {
                let start = range.map_or(at, |Dimensions { start, .. }| start);
                self.bytes += formula.len();
                // Cells that use a longer one would take hours.
                if formula.len() <= CHARACTERS && self.bytes <= CONTENT_BYTES && allowed(&formula, sheets).is_some() {
                    self.known.insert(shared_index, (start, formula.clone()));
                }
                formula
            }
            XlsxFormulaMetadata::SharedDerived { shared_index } => match self.known.get(&shared_index) {
                Some((start, formula)) => moved(formula, *start, at),
                None => return Some(Found::Foreign("shared with another cell".to_owned(), FOREIGN)),
            },
            _ => return Some(Found::Foreign("of an unknown kind".to_owned(), FOREIGN)),
        };
        if source.is_empty() {
            return is_array.then(|| Found::Foreign("of a data table".to_owned(), ARRAY));
        }
        // The same text calculates something else in a single cell.
        if is_array {
            return Some(Found::Foreign(source, ARRAY));
        }
        // LibreOffice writes a boolean as a call.
        if matches!(&*source, "TRUE()" | "FALSE()") {
            return None;
        }
        Some(match allowed(&source, sheets) {
            Some(formula) => Found::Formula(formula),
            None => Found::Foreign(source, FOREIGN),
        })
    }
}

/// The formula with its `=`, if our grammar has it.
fn allowed(source: &str, sheets: &SheetNames) -> Option<String> {
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let formula = format!("={}", source.strip_prefix('=').unwrap_or(&source));
    let formula: String = pieces(&formula).into_iter().map(ours).collect();
    (formula.chars().count() <= CHARACTERS && formula::check(&formula, sheets).is_ok()).then_some(formula)
}

// LibreOffice writes the booleans as calls.
fn ours(piece: Piece<'_>) -> Cow<'_, str> {
    match piece {
        Piece::Code(code) if code.contains("()") => {
            Cow::Owned(code.replace("TRUE()", "TRUE").replace("FALSE()", "FALSE"))
        }
        Piece::Code(text) | Piece::Text(text) | Piece::Sheet(text) => Cow::Borrowed(text),
    }
}

/// The formula of `start`, as if it were copied to `at`.
// In pieces: the library would also move the name of a sheet that looks like a cell, such as Q1.
fn moved(formula: &str, start: (u32, u32), at: (u32, u32)) -> String {
    let moved = pieces(formula).into_iter().map(|piece| match piece {
        Piece::Code(code) => expand_shared_formula(code, start, at).map_or(Cow::Borrowed(code), Cow::Owned),
        Piece::Text(text) | Piece::Sheet(text) => Cow::Borrowed(text),
    });
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn a_copied_formula_moves_its_references_alone() {
        let moved = |formula: &str| moved(formula, (0, 0), (1, 1));
        assert_eq!(moved("A1+$A1+A$1+$A$1"), "B2+$A2+B$1+$A$1");
        assert_eq!(moved("Q1!A1&\"A1\"&'A1'!A1:B2+SUM(A:A,1:1)"), "Q1!B2&\"A1\"&'A1'!B2:C3+SUM(B:B,2:2)");
    }
}
