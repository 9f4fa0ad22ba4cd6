//! The differences of two workbooks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use shared_model::Failure;

use super::{moved_lines::has_moved_lines, target::cell_key};
use crate::{
    content::PartKey,
    order,
    spreadsheets::{
        a1::cell::Cell,
        content::{SpreadsheetContent, by_cell::ByCell, sheet::Sheet},
    },
    surroundings,
};

/// The keys of cells and sheets that differ. A sheet is identified by its name.
pub fn differences(before: &SpreadsheetContent, later: &SpreadsheetContent) -> BTreeSet<PartKey> {
    let mut keys = BTreeSet::new();
    let (old_names, new_names) = (names(before), names(later));
    keys.extend(old_names.iter().filter(|name| later.sheet(name).is_none()).map(|name| (*name).to_owned()));
    keys.extend(new_names.iter().filter(|name| before.sheet(name).is_none()).map(|name| (*name).to_owned()));
    keys.extend(order::moved(&old_names, &new_names).into_iter().map(str::to_owned));

    for (old_index, old) in before.sheets.iter().enumerate() {
        let Some((new_index, new)) = later.sheet(&old.name) else { continue };
        // In a sheet with other dimensions an address can mean another cell. Then the whole sheet differs.
        if (old.rows(), old.columns()) == (new.rows(), new.columns()) {
            let cells = old.texts().zip(new.texts()).filter(|((_, old), (_, new))| old != new);
            keys.extend(cells.map(|((cell, _), _)| cell_key(&old.name, cell)));
        } else {
            keys.insert(old.name.clone());
        }
        differing(&before.formats, &later.formats, (old_index, new_index), old, &mut keys);
        differing(&before.validation, &later.validation, (old_index, new_index), old, &mut keys);
        if widths(before, old_index) != widths(later, new_index) {
            keys.insert(old.name.clone());
        }
    }
    keys
}

/// All later names, if some names disappeared and others are new. Otherwise the sheets in which lines have moved.
pub fn ambiguous(before: &SpreadsheetContent, later: &SpreadsheetContent) -> BTreeSet<PartKey> {
    // Sheets have no ids. After renames, a name that both workbooks have may belong to another sheet.
    let (old_names, new_names) = (names(before), names(later));
    let is_gone = old_names.iter().any(|name| later.sheet(name).is_none());
    let is_new = new_names.iter().any(|name| before.sheet(name).is_none());
    if is_gone && is_new {
        return new_names.into_iter().map(str::to_owned).collect();
    }
    let both = before.sheets.iter().filter_map(|old| Some((old, later.sheet(&old.name)?.1)));
    let moved = both.filter(|(old, new)| {
        (old.rows(), old.columns()) == (new.rows(), new.columns()) && old != new && has_moved_lines(old, new)
    });
    moved.map(|(old, _)| old.name.clone()).collect()
}

/// The rows and columns of these cells; the whole content if a key names more than a cell.
pub fn surroundings(content: &SpreadsheetContent, keys: &BTreeSet<PartKey>) -> Result<String, Failure> {
    let mut lines = BTreeMap::<&str, (BTreeSet<usize>, BTreeSet<usize>)>::new();
    for key in keys {
        let cell = key.rsplit_once('!').and_then(|(sheet, cell)| Some((sheet, cell.parse::<Cell>().ok()?)));
        let cell = cell.filter(|(sheet, _)| content.sheet(key).is_none() && content.sheet(sheet).is_some());
        let Some((sheet, cell)) = cell else { return surroundings::whole(content) };
        let (rows, columns) = lines.entry(sheet).or_default();
        rows.insert(cell.row);
        columns.insert(cell.column);
    }
    let texts = lines.iter().filter_map(|(name, (rows, columns))| {
        let (_, sheet) = content.sheet(name)?;
        let is_near = |cell: &Cell| rows.contains(&cell.row) || columns.contains(&cell.column);
        Some((name, sheet.texts().filter(|(cell, _)| is_near(cell)).collect::<Vec<_>>()))
    });
    // With all names: a cell of a sheet between others is not that of a hidden sheet at the end.
    surroundings::whole(&(names(content), texts.collect::<Vec<_>>()))
}

/// The sheet or the cell of a key, by the number of the sheet: `B2 of sheet 1`.
pub fn numbered(content: &SpreadsheetContent, key: &str) -> String {
    let sheet = |name: &str| match content.sheet(name) {
        Some((index, _)) => format!("sheet {}", index + 1),
        None => "a missing sheet".to_owned(),
    };
    let cell = key.rsplit_once('!').and_then(|(name, cell)| Some((name, cell.parse::<Cell>().ok()?)));
    // The name of a sheet may look like a cell of another one.
    match cell.filter(|_| content.sheet(key).is_none()) {
        Some((name, cell)) => format!("{cell} of {}", sheet(name)),
        None => sheet(key),
    }
}

pub fn names(content: &SpreadsheetContent) -> Vec<&str> {
    content.sheets.iter().map(|sheet| sheet.name.as_str()).collect()
}

pub fn widths(content: &SpreadsheetContent, sheet: usize) -> &[i64] {
    content.widths.as_ref().map_or(&[], |widths| widths.of(sheet))
}

/// Adds the cells of a sheet whose entries differ.
fn differing<T: PartialEq>(
    before: &Option<ByCell<T>>,
    later: &Option<ByCell<T>>,
    (old_index, new_index): (usize, usize),
    sheet: &Sheet,
    keys: &mut BTreeSet<PartKey>,
) {
    // Entries name their sheet by its index, which changes when other sheets come, go or move.
    let (old, new) = (of_sheet(before, old_index), of_sheet(later, new_index));
    let cells = old.keys().chain(new.keys()).filter(|cell| old.get(cell) != new.get(cell));
    keys.extend(cells.map(|cell| cell_key(&sheet.name, *cell)));
}

pub fn of_sheet<T>(entries: &Option<ByCell<T>>, sheet: usize) -> HashMap<Cell, &T> {
    let entries = entries.iter().flat_map(ByCell::iter);
    entries.filter(|(key, _)| key.sheet == sheet).map(|(key, value)| (key.cell, value)).collect()
}
