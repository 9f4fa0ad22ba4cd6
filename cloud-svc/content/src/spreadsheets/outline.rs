//! The outline of a workbook.

use serde::Serialize;
use utoipa::ToSchema;

use super::{content::SpreadsheetContent, formula::is_formula};

/// A sheet without its cells.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SheetOutline<'a> {
    /// Untrusted.
    #[schema(example = "Budget")]
    pub name: &'a str,
    /// The number of rows.
    #[schema(minimum = 1, maximum = 2000)]
    pub rows: usize,
    /// The number of columns.
    #[schema(minimum = 1, maximum = 64)]
    pub columns: usize,
    /// The number of cells with a formula.
    pub formulas: usize,
}

impl SpreadsheetContent {
    pub fn outline(&self) -> Vec<SheetOutline<'_>> {
        let sheets = self.sheets.iter().map(|sheet| SheetOutline {
            name: &sheet.name,
            rows: sheet.rows(),
            columns: sheet.columns(),
            formulas: sheet.texts().filter(|(_, text)| is_formula(text)).count(),
        });
        sheets.collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared_model::json_reader;

    use super::*;

    #[test]
    fn formulas_are_counted_by_sheet() {
        let sheets = json!([
            {"name": "One", "cells": [["=1", "a", " =1"], ["=A1", "", "'=1"]]},
            {"name": "Two", "cells": [["a=1"]]},
        ]);
        let content = json!({"kind": "sheets", "sheets": sheets});
        let content: SpreadsheetContent = json_reader::read(&content).expect("accepted");
        assert_eq!(
            content.outline(),
            [
                SheetOutline { name: "One", rows: 2, columns: 3, formulas: 2 },
                SheetOutline { name: "Two", rows: 1, columns: 1, formulas: 0 },
            ]
        );
    }
}
