//! The formulas of a sheet, in our grammar or not at all.

use std::{borrow::Cow, collections::HashMap};

use calamine::XlsxFormulaMetadata;

use crate::spreadsheets::{
    a1::cell::Cell,
    content::CONTENT_BYTES,
    edit::fill::copied,
    formula::{
        self,
        pieces::{Piece, pieces},
        sheet_names::SheetNames,
        tree::Expression,
    },
};

// The longest text of a cell.
const CHARACTERS: usize = 10_000;

/// Formulas that several cells share. The first cell has the formula; the others use it as if it were copied there.
// Not the reader's own list: it is as long as the highest index in the workbook, which may be any number.
#[derive(Default)]
pub struct SharedFormulas {
    known: HashMap<usize, Shared>,
    /// Of the shared formulas, and of all copies.
    bytes: usize,
}

struct Shared {
    at: Cell,
    /// With its `=`.
    formula: String,
    tree: Expression,
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
        at: Cell,
        formula: XlsxFormulaMetadata,
        is_array: bool,
        sheets: &SheetNames,
    ) -> Option<Found> {
        let source = match formula {
            XlsxFormulaMetadata::Normal { formula } => formula,
            XlsxFormulaMetadata::Shared { shared_index, formula, .. } => {
                self.share(shared_index, at, &formula, sheets);
                formula
            }
            XlsxFormulaMetadata::SharedDerived { shared_index } => match self.copy(shared_index, at) {
                Some(copy) if is_array => copy,
                Some(copy) => return Some(Found::Formula(copy)),
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

    fn share(&mut self, index: usize, at: Cell, source: &str, sheets: &SheetNames) {
        self.bytes += source.len();
        // Cells that use a longer one would take hours.
        if source.len() > CHARACTERS || self.bytes > CONTENT_BYTES {
            return;
        }
        let Some(formula) = allowed(source, sheets) else { return };
        if let Ok(tree) = formula::parse(&formula, sheets) {
            self.known.insert(index, Shared { at, formula, tree });
        }
    }

    /// `None` if it is not known or gets too long.
    fn copy(&mut self, index: usize, at: Cell) -> Option<String> {
        // A few kilobytes may hold a long formula and a million cells that use it.
        if self.bytes > CONTENT_BYTES {
            return None;
        }
        let Shared { at: source, formula, tree } = self.known.get(&index)?;
        let copy = copied(formula, tree, *source, at).map_or_else(|| formula.clone(), |copy| copy.text);
        self.bytes += copy.len();
        (copy.chars().count() <= CHARACTERS).then_some(copy)
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
