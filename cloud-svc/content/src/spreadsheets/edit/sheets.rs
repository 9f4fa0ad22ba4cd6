//! Edits of sheets.

use serde_json::Value;
use shared_model::Error;

use super::{
    follow::{Moved, follow},
    operation::{AddSheet, DeleteSheet, RenameSheet},
    shift::Shift,
    target::{check_room, find_sheet},
};
use crate::{
    codes,
    preview::{ChangeKind, ChangedPlace, Preview},
    spreadsheets::{
        a1::cell::Cell,
        content::{
            SpreadsheetContent,
            sheet::{SHEETS, Sheet},
        },
        formula::{self, sheet_names::SheetNames},
    },
};

const UNIQUE: &str = "must be unique among the sheets, regardless of case";

/// Adds a sheet at an index, or at the end.
pub fn add(content: &mut SpreadsheetContent, add: &AddSheet, preview: &mut Preview) -> Result<(), Error> {
    let count = content.sheets.len();
    let index = add.index.map_or(Some(count), |index| usize::try_from(index).ok());
    let Some(index) = index.filter(|index| *index <= count) else {
        return Err(preview.invalid("/index", format!("must be at most {count}, which is how many sheets there are")));
    };
    if count == SHEETS {
        return Err(preview.invalid("", format!("must leave at most {SHEETS} sheets; there are {count}")));
    }
    let mut names = content.sheet_names();
    if !names.insert(&add.name) {
        return Err(preview.invalid("/name", UNIQUE));
    }
    let sheet = Sheet { name: add.name.clone(), cells: add.cells.clone() };
    check_room(content, sheet.rows() * sheet.columns(), "/cells", preview)?;
    // `names` has the new name by now: formulas of the sheet may refer to itself.
    let problems = formula::problems(sheet.texts(), &names, |Cell { row, column }| format!("/cells/{row}/{column}"));
    if !problems.is_empty() {
        return Err(preview.refuse_all(&codes::FORMULA_NOT_ALLOWED, problems));
    }
    preview.change(ChangeKind::Insert, place(&add.name), None::<&Value>, Some(&sheet))?;
    content.sheets.insert(index, sheet);
    // Widths, formats and rules name sheets by their index, which grows for all sheets after the new one.
    if let Some(widths) = &mut content.widths {
        widths.insert_sheet(index);
    }
    move_keys(content, Shift::Insert { at: index, count: 1 });
    Ok(())
}

pub fn rename(content: &mut SpreadsheetContent, rename: &RenameSheet, preview: &mut Preview) -> Result<(), Error> {
    let index = find_sheet(content, &rename.sheet, "/sheet", preview)?;
    if rename.name == rename.sheet {
        return Ok(());
    }
    // Without the sheet itself, so that a rename may change nothing but the case.
    let others = content.sheets.iter().enumerate().filter(|(other, _)| *other != index);
    let others: SheetNames = others.map(|(_, sheet)| sheet.name.as_str()).collect();
    if others.has(&rename.name) {
        return Err(preview.invalid("/name", UNIQUE));
    }
    let place = ChangedPlace { member: Some("name".into()), ..place(&rename.sheet) };
    preview.change(ChangeKind::Replace, place, Some(&rename.sheet), Some(&rename.name))?;
    content.sheets[index].name.clone_from(&rename.name);
    follow(content, &Moved::Renamed { sheet: &rename.sheet, name: &rename.name }, preview)
}

pub fn delete(content: &mut SpreadsheetContent, delete: &DeleteSheet, preview: &mut Preview) -> Result<(), Error> {
    let index = find_sheet(content, &delete.sheet, "/sheet", preview)?;
    if content.sheets.len() == 1 {
        return Err(preview.invalid("/sheet", "must not be the only sheet"));
    }
    let sheet = content.sheets.remove(index);
    preview.change(ChangeKind::Delete, place(&sheet.name), Some(&sheet), None::<&Value>)?;
    if let Some(widths) = &mut content.widths {
        widths.delete_sheet(index);
    }
    move_keys(content, Shift::Delete { at: index, count: 1 });
    follow(content, &Moved::Deleted { sheet: &sheet.name }, preview)
}

fn place(sheet: &str) -> ChangedPlace {
    ChangedPlace { sheet: Some(sheet.to_owned()), ..ChangedPlace::default() }
}

fn move_keys(content: &mut SpreadsheetContent, splice: Shift) {
    content.move_keys(|mut key| {
        key.sheet = splice.place(key.sheet)?;
        Some(key)
    });
}
