//! Compares two workbooks.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::Value;
use shared_model::Error;

use super::differences::{names, of_sheet, widths};
use crate::{
    comparison::replaced,
    order,
    preview::{ChangeKind, ChangedPlace, Preview},
    spreadsheets::{
        a1::cell::Cell,
        content::{SpreadsheetContent, by_cell::ByCell, sheet::Sheet},
    },
};

/// Notes the sheets and cells that differ. A sheet is identified by its name.
// Rows have no identity: where some are inserted, the cells below differ.
pub fn compare(before: &SpreadsheetContent, later: &SpreadsheetContent, preview: &mut Preview) -> Result<(), Error> {
    for sheet in before.sheets.iter().filter(|sheet| later.sheet(&sheet.name).is_none()) {
        preview.change(ChangeKind::Delete, of(sheet), Some(sheet), None::<&Value>)?;
    }
    let moved = order::moved(&names(before), &names(later));
    for (new_index, new) in later.sheets.iter().enumerate() {
        let Some((old_index, old)) = before.sheet(&new.name) else {
            preview.change(ChangeKind::Insert, of(new), None::<&Value>, Some(new))?;
            continue;
        };
        if moved.contains(&new.name.as_str()) {
            preview.change(ChangeKind::Move, of(new), Some(&old_index), Some(&new_index))?;
        }
        cells(old, new, preview)?;
        let indices = (old_index, new_index);
        by_cell("formats", (&before.formats, &later.formats), indices, new, preview)?;
        by_cell("validation", (&before.validation, &later.validation), indices, new, preview)?;
        let place = || ChangedPlace { member: Some("widths".into()), ..of(new) };
        replaced(place, Some(widths(before, old_index)), Some(widths(later, new_index)), preview)?;
    }
    replaced(|| crate::comparison::member("univer"), before.univer.as_ref(), later.univer.as_ref(), preview)
}

fn of(sheet: &Sheet) -> ChangedPlace {
    ChangedPlace { sheet: Some(sheet.name.clone()), ..ChangedPlace::default() }
}

fn cells(old: &Sheet, new: &Sheet, preview: &mut Preview) -> Result<(), Error> {
    let (rows, columns) = (old.rows().max(new.rows()), old.columns().max(new.columns()));
    for cell in (0..rows).flat_map(|row| (0..columns).map(move |column| Cell { row, column })) {
        let (before, later) = (old.text(cell), new.text(cell));
        if before == later {
            continue;
        }
        let kind = match (before, later) {
            (None, _) => ChangeKind::Insert,
            (_, None) => ChangeKind::Delete,
            _ => ChangeKind::Replace,
        };
        preview.change(kind, ChangedPlace { cell: Some(cell.to_string()), ..of(new) }, before, later)?;
    }
    Ok(())
}

/// Notes the entries that differ, by their cells.
fn by_cell<T: PartialEq + Serialize>(
    member: &'static str,
    (before, later): (&Option<ByCell<T>>, &Option<ByCell<T>>),
    (old_index, new_index): (usize, usize),
    sheet: &Sheet,
    preview: &mut Preview,
) -> Result<(), Error> {
    let (old, new) = (of_sheet(before, old_index), of_sheet(later, new_index));
    let place = || ChangedPlace { member: Some(member.into()), ..of(sheet) };
    replaced(place, Some(&missing_in(&new, &old)), Some(&missing_in(&old, &new)), preview)
}

/// The entries of `these` that `others` does not have.
fn missing_in<'a, T: PartialEq>(others: &HashMap<Cell, &T>, these: &HashMap<Cell, &'a T>) -> BTreeMap<Cell, &'a T> {
    let own = these.iter().filter(|(cell, value)| others.get(cell) != Some(value));
    own.map(|(cell, value)| (*cell, *value)).collect()
}
