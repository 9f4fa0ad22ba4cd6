//! Insertions and deletions of rows and columns.

use serde_json::Value;
use shared_model::Error;

use super::{
    follow::{Moved, follow},
    lines::Lines,
    shift::Shift,
    target::{check_room, find_sheet},
};
use crate::{
    preview::{ChangeKind, ChangedPlace, Preview},
    spreadsheets::content::SpreadsheetContent,
};

/// Inserts `count` empty lines before line `at` of a sheet, or after the last.
pub fn insert(
    content: &mut SpreadsheetContent,
    (name, lines): (&str, Lines),
    at: usize,
    count: usize,
    preview: &mut Preview,
) -> Result<(), Error> {
    let index = find_sheet(content, name, "/sheet", preview)?;
    let (has, (pointer, word)) = (lines.of(&content.sheets[index]), lines.words());
    if at > has {
        let end = lines.name(has.min(lines.most() - 1));
        return Err(preview.invalid(pointer, format!("must be at most {end}: the sheet has {has} {word}")));
    }
    if has + count > lines.most() {
        let rule = format!("must leave at most {} {word}, of which the sheet has {has}", lines.most());
        return Err(preview.invalid("/count", rule));
    }
    let (rows, columns) = (content.sheets[index].rows(), content.sheets[index].columns());
    let across = if lines == Lines::Rows { columns } else { rows };
    // Before the splice: one operation could otherwise ask for more empty cells than memory holds.
    check_room(content, count * across, "/count", preview)?;
    preview.change(ChangeKind::Insert, place(name, lines, at, count), None::<&Value>, None::<&Value>)?;
    let cells = &mut content.sheets[index].cells;
    match lines {
        Lines::Rows => drop(cells.splice(at..at, vec![vec![String::new(); columns]; count])),
        Lines::Columns => cells.iter_mut().for_each(|row| drop(row.splice(at..at, vec![String::new(); count]))),
    }
    if let (Lines::Columns, Some(widths)) = (lines, &mut content.widths) {
        widths.insert_columns(index, at, count);
    }
    // Formats and validation rules stay with their cells.
    let shift = Shift::Insert { at, count };
    move_keys(content, index, lines, shift);
    follow(content, &Moved::Lines { sheet: name, lines, shift }, preview)
}

/// Deletes `count` lines of a sheet from line `at` on.
pub fn delete(
    content: &mut SpreadsheetContent,
    (name, lines): (&str, Lines),
    at: usize,
    count: usize,
    preview: &mut Preview,
) -> Result<(), Error> {
    let index = find_sheet(content, name, "/sheet", preview)?;
    let (has, (pointer, word)) = (lines.of(&content.sheets[index]), lines.words());
    if at >= has {
        return Err(
            preview.invalid(pointer, format!("must be at most {}: the sheet has {has} {word}", lines.name(has - 1)))
        );
    }
    if at + count > has {
        let rule = format!("must be at most {}: the sheet has {has} {word}", has - at);
        return Err(preview.invalid("/count", rule));
    }
    if count == has {
        return Err(preview.invalid("/count", format!("must leave one of the sheet's {has} {word} at least")));
    }
    let cells = &mut content.sheets[index].cells;
    let gone: Vec<Vec<String>> = match lines {
        Lines::Rows => cells.drain(at..at + count).collect(),
        Lines::Columns => cells.iter_mut().map(|row| row.drain(at..at + count).collect()).collect(),
    };
    preview.change(ChangeKind::Delete, place(name, lines, at, count), Some(&gone), None::<&Value>)?;
    if let (Lines::Columns, Some(widths)) = (lines, &mut content.widths) {
        widths.delete_columns(index, at, count);
    }
    let shift = Shift::Delete { at, count };
    move_keys(content, index, lines, shift);
    follow(content, &Moved::Lines { sheet: name, lines, shift }, preview)
}

fn place(sheet: &str, lines: Lines, at: usize, count: usize) -> ChangedPlace {
    let range = format!("{}:{}", lines.name(at), lines.name(at + count - 1));
    ChangedPlace { sheet: Some(sheet.to_owned()), range: Some(range), ..ChangedPlace::default() }
}

fn move_keys(content: &mut SpreadsheetContent, sheet: usize, lines: Lines, splice: Shift) {
    content.move_keys(|mut key| {
        if key.sheet == sheet {
            let line = if lines == Lines::Rows { &mut key.cell.row } else { &mut key.cell.column };
            *line = splice.place(*line)?;
        }
        Some(key)
    });
}
