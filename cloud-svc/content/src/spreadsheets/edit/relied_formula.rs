//! Formulas to which others refer.

use std::collections::HashSet;

use super::{authored::sources, operation::SpreadsheetOperation, target::cell_key};
use crate::spreadsheets::{
    compute::area::Place,
    content::SpreadsheetContent,
    formula::is_formula,
    references::{MarkedCells, references},
};

/// A formula that `later` changes or deletes although another formula refers to it.
// A formula that only follows its cells is the same formula.
pub fn relied_formula(
    before: &SpreadsheetContent,
    later: &SpreadsheetContent,
    edits: Option<&[SpreadsheetOperation]>,
) -> Option<String> {
    let kept: HashSet<usize> = sources(before, later, edits).into_iter().flatten().collect();
    let mut end = 0;
    let mut begins = Vec::new();
    for sheet in &before.sheets {
        begins.push(end);
        end += sheet.rows() * sheet.columns();
    }
    let is_changed = |Place { sheet, cell }: Place| {
        let cells = &before.sheets[sheet];
        let source = begins[sheet] + cell.row * cells.columns() + cell.column;
        is_formula(cells.text(cell).unwrap_or_default()) && !kept.contains(&source)
    };
    let changed: Vec<MarkedCells> = before
        .sheets
        .iter()
        .enumerate()
        .map(|(sheet, cells)| MarkedCells::new(cells.rows(), cells.columns(), |cell| is_changed(Place { sheet, cell })))
        .collect();
    if changed.iter().all(MarkedCells::are_none) {
        return None;
    }
    let (relying, area) = references(before).find(|(own, area)| {
        // A formula that refers to itself relies on nothing.
        let is_own = area.has(*own) && is_changed(*own);
        changed[area.sheet].within(area) > u32::from(is_own)
    })?;
    let sheet = &before.sheets[area.sheet];
    let mut places = sheet.texts().map(|(cell, _)| Place { sheet: area.sheet, cell });
    let relied = places.find(|place| area.has(*place) && *place != relying && is_changed(*place))?;
    Some(cell_key(&sheet.name, relied.cell))
}
