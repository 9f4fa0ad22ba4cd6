//! Edits of formats, validation rules and widths.

use std::collections::BTreeMap;

use serde::Serialize;
use shared_model::Error;

use super::{
    operation::{SetFormat, SetValidation, SetWidths},
    target::find_sheet,
};
use crate::{
    preview::{ChangeKind, ChangedPlace, Preview},
    spreadsheets::{
        a1::{cell::Cell, range::CellRange},
        content::{
            SpreadsheetContent,
            by_cell::{ByCell, ENTRIES},
            cell_key::CellKey,
            format::CellFormat,
            widths::Widths,
        },
    },
};

/// Sets the format of each cell of the range.
pub fn set_format(content: &mut SpreadsheetContent, set: &SetFormat, preview: &mut Preview) -> Result<(), Error> {
    let sheet = find_sheet(content, &set.sheet, "/sheet", preview)?;
    let format = CellFormat { align: set.align, wrap: set.wrap };
    let place = place(&set.sheet, set.range, "formats");
    // An entry without members says nothing, and entries are bounded.
    let format = (format != CellFormat::default()).then_some(format);
    set_each(&mut content.formats, sheet, set.range, format.as_ref(), place, preview)
}

pub fn set_validation(
    content: &mut SpreadsheetContent,
    set: &SetValidation,
    preview: &mut Preview,
) -> Result<(), Error> {
    let sheet = find_sheet(content, &set.sheet, "/sheet", preview)?;
    let place = place(&set.sheet, set.range, "validation");
    set_each(&mut content.validation, sheet, set.range, set.rule.as_ref(), place, preview)
}

pub fn set_widths(content: &mut SpreadsheetContent, set: &SetWidths, preview: &mut Preview) -> Result<(), Error> {
    let sheet = find_sheet(content, &set.sheet, "/sheet", preview)?;
    let before = content.widths.as_ref().map_or(&[][..], |widths| widths.of(sheet));
    if before != set.widths {
        let place =
            ChangedPlace { sheet: Some(set.sheet.clone()), member: Some("widths".into()), ..ChangedPlace::default() };
        preview.change(ChangeKind::Replace, place, Some(before), Some(&set.widths))?;
        let widths = content.widths.get_or_insert_with(|| Widths::BySheet(BTreeMap::new()));
        widths.set(sheet, set.widths.clone());
    }
    Ok(())
}

fn place(sheet: &str, range: CellRange, member: &'static str) -> ChangedPlace {
    ChangedPlace {
        sheet: Some(sheet.to_owned()),
        range: Some(range.to_string()),
        member: Some(member.into()),
        ..ChangedPlace::default()
    }
}

/// Sets the entry of each cell of the range. The change shows the old entries of the cells that change.
fn set_each<T: Clone + PartialEq + Serialize>(
    member: &mut Option<ByCell<T>>,
    sheet: usize,
    range: CellRange,
    value: Option<&T>,
    place: ChangedPlace,
    preview: &mut Preview,
) -> Result<(), Error> {
    let has = |cell: Cell| member.as_ref().and_then(|entries| entries.get(CellKey { sheet, cell }));
    let changed: Vec<Cell> = range.cells().filter(|cell| has(*cell) != value).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let before: BTreeMap<Cell, &T> = changed.iter().filter_map(|cell| Some((*cell, has(*cell)?))).collect();
    let count = member.as_ref().map_or(0, |entries| entries.iter().count());
    // Cells in `before` have an entry already and take no more room.
    if value.is_some() && count + changed.len() - before.len() > ENTRIES {
        let rule = format!(
            "must leave at most {ENTRIES} entries in {}; there are {count}",
            place.member.as_deref().unwrap_or_default()
        );
        return Err(preview.invalid("/range", rule));
    }
    preview.change(ChangeKind::Replace, place, Some(&before), value)?;
    let entries = member.get_or_insert_default();
    changed.into_iter().for_each(|cell| entries.set(CellKey { sheet, cell }, value.cloned()));
    Ok(())
}
