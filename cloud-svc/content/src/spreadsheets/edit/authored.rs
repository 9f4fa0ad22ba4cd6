//! The parts of spreadsheets that have an author: cells.

use std::collections::{HashMap, HashSet};

use super::{
    anchors::{has_anchor, parse, shift_anchor, spliced},
    lines::Lines,
    operation::SpreadsheetOperation,
    shift::Shift,
    target::cell_key,
};
use crate::{
    anchor::Anchor,
    deleted::Deleted,
    grid::{Area, Grid, Sources},
    spreadsheets::{
        a1::{cell::Cell, range::CellRange},
        content::{SpreadsheetContent, sheet::Sheet},
        formula::is_formula,
    },
};

/// To give fewer cells another text is an everyday edit.
const MANY_CELLS: usize = 20;

pub fn grids(content: &SpreadsheetContent) -> Vec<Grid> {
    content.sheets.iter().map(|sheet| Grid { rows: sheet.rows(), columns: sheet.columns() }).collect()
}

/// `Budget!A1:B2`
pub fn place(content: &SpreadsheetContent, grid: usize, area: &Area) -> String {
    let name = &content.sheets[grid].name;
    let first = Cell { row: area.rows.start, column: area.columns.start };
    let last = Cell { row: area.rows.end - 1, column: area.columns.end - 1 };
    // A run is a rectangle with one cell at least.
    CellRange::new(first, last).map_or_else(|| cell_key(name, first), |range| format!("{name}!{range}"))
}

/// Where a cell comes from.
#[derive(Clone, Copy)]
struct Origin {
    /// Its index among the cells before; `None` for a new one.
    source: Option<usize>,
    /// Whether an edit names it.
    is_named: bool,
}

impl Origin {
    /// The cell before, if this is unchanged: its text is the same, or no edit names it, as a formula that follows.
    fn unchanged(self, text: &str, before: &[&str]) -> Option<usize> {
        self.source.filter(|source| !self.is_named || before[*source] == text)
    }
}

const NEW: Origin = Origin { source: None, is_named: true };

struct TracedSheet {
    name: String,
    rows: Vec<Vec<Origin>>,
}

pub fn sources(
    before: &SpreadsheetContent,
    later: &SpreadsheetContent,
    edits: Option<&[SpreadsheetOperation]>,
) -> Sources {
    let texts = texts(before);
    origins(before, later, edits).map(|(origin, text)| origin?.unchanged(text, &texts)).collect()
}

/// Cells with text count as deleted if they are empty or blank later. Other cells may have got text instead.
pub fn deleted_cells(
    before: &SpreadsheetContent,
    later: &SpreadsheetContent,
    edits: Option<&[SpreadsheetOperation]>,
) -> Deleted {
    let mut is_gone: Vec<bool> = texts(before).iter().map(|text| !text.trim().is_empty()).collect();
    let had = count(&is_gone);
    for (origin, text) in origins(before, later, edits) {
        if let Some(source) = origin.and_then(|origin| origin.source).filter(|_| !text.trim().is_empty()) {
            is_gone[source] = false;
        }
    }
    Deleted { had, gone: count(&is_gone) }
}

/// Whether more than half of the texts of cells are gone.
pub fn is_rewritten(
    before: &SpreadsheetContent,
    later: &SpreadsheetContent,
    edits: Option<&[SpreadsheetOperation]>,
) -> bool {
    let texts = texts(before);
    // Without edits nobody knows which formulas only follow their cells.
    let counts = |text: &&str| !text.trim().is_empty() && (edits.is_some() || !is_formula(text));
    let mut is_lost: Vec<bool> = texts.iter().map(counts).collect();
    let had = count(&is_lost);
    if had < MANY_CELLS {
        return false;
    }
    let mut left: HashMap<&str, usize> = HashMap::new();
    self::texts(later).into_iter().for_each(|text| *left.entry(text).or_default() += 1);
    let mut take = |text: &str| match left.get_mut(text).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            true
        }
        None => false,
    };
    if edits.is_some() {
        for (origin, text) in origins(before, later, edits) {
            if let Some(source) = origin.and_then(|origin| origin.unchanged(text, &texts)) {
                take(text);
                is_lost[source] = false;
            }
        }
    }
    // A text in another cell is kept, too: a sheet is sorted by writing its cells.
    for (is_lost, text) in is_lost.iter_mut().zip(&texts).filter(|(is_lost, _)| **is_lost) {
        *is_lost = !take(text);
    }
    let lost = count(&is_lost);
    lost >= MANY_CELLS && lost * 2 > had
}

fn count(flags: &[bool]) -> usize {
    flags.iter().filter(|flag| **flag).count()
}

fn texts(content: &SpreadsheetContent) -> Vec<&str> {
    content.sheets.iter().flat_map(|sheet| sheet.texts().map(|(_, text)| text)).collect()
}

/// Each cell of `later`: where it comes from, and its text.
fn origins<'l>(
    before: &SpreadsheetContent,
    later: &'l SpreadsheetContent,
    edits: Option<&[SpreadsheetOperation]>,
) -> impl Iterator<Item = (Option<Origin>, &'l str)> + use<'l> {
    // Without edits nobody knows which cells were named, so each cell that differs was.
    let mut traced = trace(before, edits.is_none());
    edits.into_iter().flatten().for_each(|edit| follow(&mut traced, edit));
    later.sheets.iter().flat_map(move |sheet| {
        let origins = traced.iter().position(|traced| traced.name == sheet.name);
        let rows = origins.map(|at| std::mem::take(&mut traced[at].rows)).unwrap_or_default();
        sheet.texts().map(move |(cell, text)| (rows.get(cell.row).and_then(|row| row.get(cell.column)).copied(), text))
    })
}

fn trace(before: &SpreadsheetContent, is_named: bool) -> Vec<TracedSheet> {
    let mut index = 0;
    let mut next = || {
        index += 1;
        Origin { source: Some(index - 1), is_named }
    };
    let rows = |cells: &[Vec<String>], next: &mut dyn FnMut() -> Origin| {
        cells.iter().map(|row| row.iter().map(|_| next()).collect()).collect()
    };
    before
        .sheets
        .iter()
        .map(|sheet| TracedSheet { name: sheet.name.clone(), rows: rows(&sheet.cells, &mut next) })
        .collect()
}

/// Moves the origins as the edit moves the cells.
// The edit was carried out already, so everything that it names exists.
fn follow(traced: &mut Vec<TracedSheet>, edit: &SpreadsheetOperation) {
    use SpreadsheetOperation as Op;
    if let Some((name, lines, shift)) = spliced(edit) {
        if let Some(sheet) = find(traced, name) {
            sheet.splice(lines, shift);
        }
        return;
    }
    match edit {
        Op::SetCells(set) => name_cells(traced, &set.sheet, set.range.cells()),
        // The range may include the copied cells, which are not written.
        Op::Fill(fill) => {
            name_cells(traced, &fill.sheet, fill.range.cells().filter(|cell| fill.source_of(*cell) != *cell));
        }
        Op::ClearRange(clear) => name_cells(traced, &clear.sheet, clear.range.cells()),
        Op::AddSheet(add) => traced.push(TracedSheet { name: add.name.clone(), rows: Vec::new() }),
        Op::RenameSheet(rename) => {
            if let Some(sheet) = find(traced, &rename.sheet) {
                sheet.name.clone_from(&rename.name);
            }
        }
        Op::DeleteSheet(delete) => traced.retain(|sheet| sheet.name != delete.sheet),
        // Formats, rules and widths are not what somebody wrote in a cell.
        Op::SetFormat(_) | Op::SetValidation(_) | Op::SetWidths(_) => {}
        Op::InsertRows(_) | Op::DeleteRows(_) | Op::InsertColumns(_) | Op::DeleteColumns(_) => {}
    }
}

fn find<'a>(traced: &'a mut [TracedSheet], name: &str) -> Option<&'a mut TracedSheet> {
    traced.iter_mut().find(|sheet| sheet.name == name)
}

fn name_cells(traced: &mut [TracedSheet], sheet: &str, cells: impl Iterator<Item = Cell>) {
    let Some(sheet) = find(traced, sheet) else { return };
    for cell in cells {
        // Cells beyond the end are new anyway.
        if let Some(origin) = sheet.rows.get_mut(cell.row).and_then(|row| row.get_mut(cell.column)) {
            origin.is_named = true;
        }
    }
}

impl TracedSheet {
    /// Rows or columns beyond those that are traced came with edits of this plan, and are new.
    fn splice(&mut self, lines: Lines, shift: Shift) {
        match lines {
            Lines::Rows => splice(&mut self.rows, shift, &Vec::new()),
            Lines::Columns => self.rows.iter_mut().for_each(|row| splice(row, shift, &NEW)),
        }
    }
}

fn splice<T: Clone>(list: &mut Vec<T>, shift: Shift, new: &T) {
    match shift {
        Shift::Insert { at, count } if at < list.len() => drop(list.splice(at..at, vec![new.clone(); count])),
        Shift::Insert { .. } => {}
        Shift::Delete { at, count } => {
            let end = (at + count).min(list.len());
            drop(list.drain(at.min(end)..end));
        }
    }
}

/// The place after all these operations.
fn shifted(edits: &[SpreadsheetOperation], place: &Anchor) -> Anchor {
    edits.iter().fold(place.clone(), |place, edit| shift_anchor(edit, place))
}

/// Whether a place can no longer be named, or is beyond the end of its sheet.
fn is_lost(before: &SpreadsheetContent, later: &SpreadsheetContent, (from, to): (&Anchor, &Anchor)) -> bool {
    let is_named = to.range.as_deref().and_then(parse).is_some();
    !is_named || has_anchor(before, from) && !has_anchor(later, to)
}

/// The cells of the range that the sheet has.
fn within(range: CellRange, sheet: &Sheet) -> Option<CellRange> {
    let Cell { row, column } = range.last();
    let (row, column) = (row.min(sheet.rows().checked_sub(1)?), column.min(sheet.columns().checked_sub(1)?));
    CellRange::new(range.first(), Cell { row, column })
}

/// The index of a cell among the cells of all sheets.
fn index_of(content: &SpreadsheetContent, sheet: usize, cell: Cell) -> usize {
    let before: usize = content.sheets[..sheet].iter().map(|sheet| sheet.rows() * sheet.columns()).sum();
    before + cell.row * content.sheets[sheet].columns() + cell.column
}

/// Formulas that only follow their cells are not changed.
pub fn changes_at(
    before: &SpreadsheetContent,
    later: &SpreadsheetContent,
    edits: Option<&[SpreadsheetOperation]>,
    places: &[Anchor],
) -> Vec<bool> {
    let texts = texts(before);
    let origins: Vec<(Option<Origin>, &str)> = origins(before, later, edits).collect();
    let kept: HashSet<usize> = origins.iter().filter_map(|(origin, text)| (*origin)?.unchanged(text, &texts)).collect();
    // What the edits write between protected cells is in their place, although no cell was there before.
    let is_filled = |edits: &[SpreadsheetOperation], name: &str, cells: CellRange| {
        let place = Anchor { range: Some(format!("{name}!{cells}")), ..Anchor::default() };
        let Anchor { range: Some(to), .. } = shifted(edits, &place) else { return false };
        let Some((name, cells)) = parse(&to) else { return false };
        let Some((index, sheet)) = later.sheet(name) else { return false };
        let mut written = cells.cells().filter(|cell| sheet.text(*cell).is_some_and(|text| !text.is_empty()));
        written.any(|cell| origins[index_of(later, index, cell)].0.and_then(|origin| origin.source).is_none())
    };
    let changes = |place: &Anchor| {
        let Some((name, range)) = place.range.as_deref().and_then(parse) else { return false };
        let Some((index, sheet)) = before.sheet(name) else { return false };
        let is_lost = match edits {
            // Without operations nobody knows where its cells went: the same text may be in others now.
            None => later.sheet(name).is_none_or(|(_, later)| later != sheet),
            // As if its cells were deleted: nobody protects them after this edit.
            Some(edits) => is_lost(before, later, (place, &shifted(edits, place))),
        };
        if is_lost {
            return range.cells().any(|cell| sheet.text(cell).is_some());
        }
        // Cells beyond the end of the sheet are not there yet, so nobody protects them.
        let Some(there) = within(range, sheet) else { return false };
        there.cells().any(|cell| !kept.contains(&index_of(before, index, cell)))
            || edits.is_some_and(|edits| is_filled(edits, name, there))
    };
    places.iter().map(changes).collect()
}
