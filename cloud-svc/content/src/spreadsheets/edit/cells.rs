//! Edits of cells.

use shared_model::Error;

use super::{
    follow::shown,
    operation::{ClearRange, SetCells},
    target::{cell_key, check_room, find_sheet},
};
use crate::{
    codes,
    preview::{ChangeKind, ChangedPlace, Preview, Severity, WarningCode},
    spreadsheets::{
        a1::cell::Cell,
        content::{SpreadsheetContent, cell_key::CellKey},
        formula::{self, is_formula},
    },
};

/// Writes the values into the cells of the range.
pub fn set_cells(content: &mut SpreadsheetContent, set: &SetCells, preview: &mut Preview) -> Result<(), Error> {
    let index = find_sheet(content, &set.sheet, "/sheet", preview)?;
    let sheet = &content.sheets[index];
    // Equal values are left out before formulas are judged: a forbidden formula that is already there may stay.
    let values = set.range.cells().zip(set.values.iter().flatten());
    let written: Vec<(Cell, &str)> = values
        .map(|(cell, value)| (cell, value.as_str()))
        .filter(|(cell, value)| sheet.text(*cell).unwrap_or_default() != *value)
        .collect();

    // The names of all sheets are gathered only for formulas: most operations write none.
    if written.iter().any(|(_, text)| is_formula(text)) {
        let Cell { row, column } = set.range.first();
        let problems = formula::problems(written.iter().copied(), &content.sheet_names(), |cell| {
            format!("/values/{}/{}", cell.row - row, cell.column - column)
        });
        if !problems.is_empty() {
            return Err(preview.refuse_all(&codes::FORMULA_NOT_ALLOWED, problems));
        }
    }

    let lost = written.iter().filter(|(cell, text)| loses_reference(sheet.text(*cell).unwrap_or_default(), text));
    let lost: Vec<(Cell, String)> = lost.map(|(cell, text)| (*cell, shown(text))).collect();
    write_all(content, index, &written, preview)?;
    for (cell, formula) in lost {
        preview.warn(WarningCode::FormulaReferenceLost, Severity::High, cell_key(&set.sheet, cell), formula);
    }
    Ok(())
}

/// Whether the new text of a cell has a lost reference that the old one did not have.
// All operations that write texts use it, because `set_cells` writes a part of a `fill`.
pub fn loses_reference(old: &str, new: &str) -> bool {
    formula::has_lost_reference(new) && !formula::has_lost_reference(old)
}

/// Writes different texts into cells. The sheet grows where it must.
pub fn write_all(
    content: &mut SpreadsheetContent,
    index: usize,
    written: &[(Cell, impl AsRef<str>)],
    preview: &mut Preview,
) -> Result<(), Error> {
    let sheet = &content.sheets[index];
    // Only as far as there is text. `written` has no empty text beyond the last row and column.
    let (rows, columns) = (sheet.rows(), sheet.columns());
    let reach =
        |extent: usize, of: fn(&Cell) -> usize| written.iter().fold(extent, |most, (cell, _)| most.max(of(cell) + 1));
    let (height, width) = (reach(rows, |cell| cell.row), reach(columns, |cell| cell.column));
    check_room(content, height * width - rows * columns, "/range", preview)?;
    let cells = &mut content.sheets[index].cells;
    if width > columns {
        // Before rows are added: the new rows have the new width already, and all rows must be of one length.
        cells.iter_mut().for_each(|row| row.resize(width, String::new()));
    }
    cells.resize(height, vec![String::new(); width]);

    for (cell, value) in written {
        let is_new = cell.row >= rows || cell.column >= columns;
        write(content, index, *cell, is_new, value.as_ref(), preview)?;
    }
    Ok(())
}

/// Empties the cells of the range that the sheet has.
pub fn clear_range(content: &mut SpreadsheetContent, clear: &ClearRange, preview: &mut Preview) -> Result<(), Error> {
    let index = find_sheet(content, &clear.sheet, "/sheet", preview)?;
    for cell in clear.range.cells() {
        if content.sheets[index].text(cell).is_some_and(|text| !text.is_empty()) {
            write(content, index, cell, false, "", preview)?;
        }
    }
    Ok(())
}

/// Writes a different text into a cell; `is_new` if the sheet was too small for it.
fn write(
    content: &mut SpreadsheetContent,
    index: usize,
    cell: Cell,
    is_new: bool,
    value: &str,
    preview: &mut Preview,
) -> Result<(), Error> {
    let sheet = &mut content.sheets[index];
    let old = std::mem::replace(&mut sheet.cells[cell.row][cell.column], value.to_owned());
    let kind = if is_new { ChangeKind::Insert } else { ChangeKind::Replace };
    let place =
        ChangedPlace { sheet: Some(sheet.name.clone()), cell: Some(cell.to_string()), ..ChangedPlace::default() };
    preview.change(kind, place, (!is_new).then_some(&*old), Some(value))?;
    let name = &content.sheets[index].name;
    if is_formula(&old) {
        // A formula that becomes a constant no longer follows the other cells.
        let severity = if is_formula(value) { Severity::Low } else { Severity::Medium };
        preview.warn(WarningCode::FormulaOverwritten, severity, cell_key(name, cell), shown(&old));
    }
    let rule = content.validation.as_ref().and_then(|rules| rules.get(CellKey { sheet: index, cell }));
    if let Some(broken) = rule.and_then(|rule| rule.broken_by(value)) {
        preview.warn(WarningCode::ValidationViolated, Severity::Medium, cell_key(name, cell), broken);
    }
    Ok(())
}
