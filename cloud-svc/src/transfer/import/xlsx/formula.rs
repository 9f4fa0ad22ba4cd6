//! Formulas that several cells share. The first cell has the formula; the others use it as if it were copied there.

use std::collections::HashMap;

use calamine::{Dimensions, XlsxFormulaMetadata, expand_shared_formula};

#[derive(Default)]
// Not the reader's own list: it is as long as the highest index in the workbook, which may be any number.
pub struct SharedFormulas(HashMap<usize, ((u32, u32), String)>);

impl SharedFormulas {
    /// The formula of the cell at `at`, without `=`.
    pub fn resolve(&mut self, at: (u32, u32), formula: XlsxFormulaMetadata) -> Result<String, String> {
        match formula {
            XlsxFormulaMetadata::Normal { formula } => Ok(formula),
            XlsxFormulaMetadata::Shared { shared_index, range, formula } => {
                let start = range.map_or(at, |Dimensions { start, .. }| start);
                self.0.insert(shared_index, (start, formula.clone()));
                Ok(formula)
            }
            XlsxFormulaMetadata::SharedDerived { shared_index } => {
                let unknown = || "must not share the formula of a later cell".to_owned();
                let (start, formula) = self.0.get(&shared_index).ok_or_else(unknown)?;
                expand_shared_formula(formula, *start, at).map_err(|error| error.to_string())
            }
            other => Err(format!("must have formulas of a known kind, has {other:?}")),
        }
    }
}
