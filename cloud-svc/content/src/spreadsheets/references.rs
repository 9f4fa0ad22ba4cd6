//! Where the formulas of a workbook refer to.

use std::collections::HashMap;

use super::{
    a1::cell::Cell,
    compute::area::{Area, Place},
    content::SpreadsheetContent,
    formula::{self, is_formula},
};
use crate::name_key::name_key;

/// Each reference, with the place of its formula.
pub fn references(content: &SpreadsheetContent) -> impl Iterator<Item = (Place, Area)> {
    let index: HashMap<String, usize> =
        content.sheets.iter().enumerate().map(|(index, sheet)| (name_key(&sheet.name), index)).collect();
    let formulas = content.sheets.iter().enumerate().flat_map(|(own, sheet)| {
        let texts = sheet.texts().filter(|(_, text)| is_formula(text));
        texts.map(move |(cell, text)| (Place { sheet: own, cell }, text))
    });
    formulas.flat_map(move |(place, text)| {
        let tree = formula::parse_stored(text).ok();
        let references = tree.iter().flat_map(|tree| tree.references());
        let areas = references.filter_map(|reference| {
            let named = reference.sheet.as_ref().map(|sheet| index.get(&name_key(&sheet.name)).copied());
            Some((place, Area::new(named.unwrap_or(Some(place.sheet))?, &reference.area)?))
        });
        areas.collect::<Vec<_>>()
    })
}

/// How many marked cells a rectangle has. An answer takes the same time for all sizes: a workbook may have a hundred
/// thousand references and as many marked cells.
pub struct MarkedCells {
    columns: usize,
    /// For each corner between cells, the marked cells above it and to its left.
    sums: Vec<u32>,
}

impl MarkedCells {
    pub fn new(rows: usize, columns: usize, is_marked: impl Fn(Cell) -> bool) -> Self {
        let width = columns + 1;
        let mut sums = vec![0_u32; width];
        for row in 0..rows {
            sums.push(0);
            let mut in_row = 0;
            for column in 0..columns {
                in_row += u32::from(is_marked(Cell { row, column }));
                sums.push(sums[row * width + column + 1] + in_row);
            }
        }
        Self { columns, sums }
    }

    pub fn are_none(&self) -> bool {
        self.sums.last() == Some(&0)
    }

    pub fn within(&self, area: &Area) -> u32 {
        let width = self.columns + 1;
        let rows = self.sums.len() / width - 1;
        let cut = |[first, last]: [usize; 2], end: usize| [first.min(end), (last + 1).min(end)];
        let ([top, bottom], [left, right]) = (cut(area.rows, rows), cut(area.columns, self.columns));
        let sum = |row: usize, column: usize| self.sums[row * width + column];
        sum(bottom, right) + sum(top, left) - sum(top, right) - sum(bottom, left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_cells_are_counted_in_any_rectangle() {
        let is_marked = |Cell { row, column }: Cell| (row * 7 + column * 3).is_multiple_of(4);
        let marked = MarkedCells::new(6, 5, is_marked);
        for top in 0..8 {
            for bottom in top..9 {
                for left in 0..6 {
                    for right in left..8 {
                        let area = Area { sheet: 0, columns: [left, right], rows: [top, bottom] };
                        let rows = top..(bottom + 1).min(6);
                        let cells =
                            rows.flat_map(|row| (left..(right + 1).min(5)).map(move |column| Cell { row, column }));
                        let counted = cells.filter(|cell| is_marked(*cell)).count();
                        assert_eq!(marked.within(&area), u32::try_from(counted).expect("few"), "{area:?}");
                    }
                }
            }
        }
        assert_eq!(MarkedCells::new(0, 0, |_| true).within(&Area { sheet: 0, columns: [0, 9], rows: [0, 9] }), 0);
    }
}
