//! A range of cells with their addresses.

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    a1::{cell::Cell, range::CellRange},
    compute::{Computed, TooLarge, Workbook},
    content::{SpreadsheetContent, sheet::Sheet},
    formula::is_formula,
};

#[derive(Debug, Serialize, ToSchema)]
pub struct SheetRange<'a> {
    /// A sheet's name.
    #[schema(example = "Budget")]
    pub sheet: &'a str,
    pub range: CellRange,
    /// Rows with all their cells. Cells beyond the sheet's last row or column are empty.
    pub rows: Vec<Vec<RangeCell<'a>>>,
}

/// A cell with its address.
#[derive(Debug, Serialize, ToSchema)]
pub struct RangeCell<'a> {
    /// The address.
    #[schema(value_type = String, example = "B2")]
    pub cell: Cell,
    /// The text: untrusted.
    #[schema(example = "=SUM(B3:B9)")]
    pub value: &'a str,
    /// Whether it is a formula.
    pub formula: bool,
    /// Its value. Present with `computed=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub computed: Option<Computed>,
}

impl<'a> SheetRange<'a> {
    // Every cell carries its address and none is left out, so that nobody has to count rows and columns.
    pub fn of(sheet: &'a Sheet, range: CellRange) -> Self {
        let cell = |cell| {
            let value = sheet.text(cell).unwrap_or_default();
            RangeCell { cell, value, formula: is_formula(value), computed: None }
        };
        let row = |row| range.columns().map(|column| cell(Cell { row, column })).collect();
        Self { sheet: &sheet.name, range, rows: range.rows().map(row).collect() }
    }

    /// Puts the value of each cell next to its text, so that nobody writes a value where a formula was.
    pub fn with_computed(mut self, computed: Vec<Vec<Computed>>) -> Self {
        for (cell, computed) in self.rows.iter_mut().flatten().zip(computed.into_iter().flatten()) {
            cell.computed = Some(computed);
        }
        self
    }
}

/// The values of the cells of a range, in rows.
pub fn computed(content: &SpreadsheetContent, sheet: usize, range: CellRange) -> Result<Vec<Vec<Computed>>, TooLarge> {
    let mut workbook = Workbook::new(content);
    let mut value = |cell| workbook.value(sheet, cell).map(|value| Computed::from(&value));
    range.rows().map(|row| range.columns().map(|column| value(Cell { row, column })).collect()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_cell_comes_with_its_address_and_none_is_left_out() {
        let cells = [["", "900"], ["Sum", "=B1"]].map(|row| row.map(str::to_owned).to_vec()).to_vec();
        let sheet = Sheet { name: "Budget".to_owned(), cells };
        let range = CellRange::bounded("B1:C2").expect("a range");
        assert_eq!(
            serde_json::to_value(SheetRange::of(&sheet, range)).expect("JSON"),
            json!({"sheet": "Budget", "range": "B1:C2", "rows": [
                [{"cell": "B1", "value": "900", "formula": false}, {"cell": "C1", "value": "", "formula": false}],
                [{"cell": "B2", "value": "=B1", "formula": true}, {"cell": "C2", "value": "", "formula": false}],
            ]})
        );
    }
}
