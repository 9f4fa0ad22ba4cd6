//! Formulas to which others refer.

use std::collections::{BTreeMap, HashSet};

use super::{authored::sources, operation::SpreadsheetOperation, target::cell_key};
use crate::{
    name_key::name_key,
    spreadsheets::{
        a1::cell::Cell,
        compute::area::Area,
        content::SpreadsheetContent,
        formula::{self, is_formula},
    },
};

/// The first formula that `later` changes or deletes although another formula refers to it.
// A formula that only follows its cells is the same formula.
pub fn relied_formula(
    before: &SpreadsheetContent,
    later: &SpreadsheetContent,
    edits: Option<&[SpreadsheetOperation]>,
) -> Option<String> {
    let kept: HashSet<usize> = sources(before, later, edits).into_iter().flatten().collect();
    let mut changed = BTreeMap::<usize, Vec<Cell>>::new();
    let cells = before
        .sheets
        .iter()
        .enumerate()
        .flat_map(|(index, sheet)| sheet.texts().map(move |(cell, text)| (index, cell, text)));
    for (place, (sheet, cell, text)) in cells.enumerate() {
        if is_formula(text) && !kept.contains(&place) {
            changed.entry(sheet).or_default().push(cell);
        }
    }
    if changed.is_empty() {
        return None;
    }
    let areas = areas(before);
    let is_relied = |sheet: usize, cell: &Cell| {
        areas.iter().any(|(own, area)| {
            let [columns, rows] = [area.columns, area.rows];
            let is_in = (rows[0]..=rows[1]).contains(&cell.row) && (columns[0]..=columns[1]).contains(&cell.column);
            // A formula that refers to itself relies on nothing.
            area.sheet == sheet && is_in && *own != (sheet, *cell)
        })
    };
    changed.into_iter().find_map(|(sheet, cells)| {
        let cell = cells.into_iter().find(|cell| is_relied(sheet, cell))?;
        Some(cell_key(&before.sheets[sheet].name, cell))
    })
}

/// What the formulas refer to, each with its own place.
fn areas(content: &SpreadsheetContent) -> Vec<((usize, Cell), Area)> {
    let index = |name: &str| content.sheets.iter().position(|sheet| name_key(&sheet.name) == name_key(name));
    let mut areas = Vec::new();
    for (own, sheet) in content.sheets.iter().enumerate() {
        for (cell, text) in sheet.texts().filter(|(_, text)| is_formula(text)) {
            let Ok(tree) = formula::parse_stored(text) else { continue };
            for reference in tree.references() {
                let sheet = reference.sheet.as_ref().map_or(Some(own), |sheet| index(&sheet.name));
                areas.extend(sheet.and_then(|sheet| Area::new(sheet, &reference.area)).map(|area| ((own, cell), area)));
            }
        }
    }
    areas
}
