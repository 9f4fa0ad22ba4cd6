//! Formulas that cells share: written at the first cell, and meant at the others as if they had been copied there.

use std::collections::HashMap;

use calamine::{Dimensions, XlsxFormulaMetadata, expand_shared_formula};

/// The formulas of one sheet that have been read so far and that later cells share.
#[derive(Default)]
// The reader's own list of them is as long as the highest number that a workbook gives to one.
pub struct SharedFormulas(HashMap<usize, ((u32, u32), String)>);

impl SharedFormulas {
    /// The formula of the cell at `at`, without its `=`.
    pub fn resolve(&mut self, at: (u32, u32), formula: XlsxFormulaMetadata) -> Result<String, String> {
        match formula {
            XlsxFormulaMetadata::Normal { formula } => Ok(formula),
            XlsxFormulaMetadata::Shared { shared_index, range, formula } => {
                let start = range.map_or(at, |Dimensions { start, .. }| start);
                self.0.insert(shared_index, (start, formula.clone()));
                Ok(formula)
            }
            XlsxFormulaMetadata::SharedDerived { shared_index } => {
                let unknown = || "must not share a formula of a cell that comes later".to_owned();
                let (start, formula) = self.0.get(&shared_index).ok_or_else(unknown)?;
                expand_shared_formula(formula, *start, at).map_err(|error| error.to_string())
            }
            other => Err(format!("must have formulas of a known kind, has {other:?}")),
        }
    }
}
