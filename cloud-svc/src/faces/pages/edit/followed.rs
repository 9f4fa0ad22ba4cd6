//! What was typed into cells of an older version, put into the cells of the newest one.

use std::collections::BTreeMap;

use super::{
    cells::{Cells, INPUTS, text_of},
    kept::SheetCell,
    places::Places,
};
use cloud_content::spreadsheets::{
    a1::{
        cell::{Cell, ROWS},
        column::COLUMNS,
        range::CellRange,
    },
    content::{SpreadsheetContent, sheet::Sheet},
    formula::is_formula,
};

pub struct Followed<'n> {
    /// Cells of the newest version, with what was typed into them.
    pub cells: Cells<'n>,
    /// The typed cells that others have changed too.
    pub replaced: Vec<SheetCell>,
    /// Whether some cells are at another place now.
    pub has_moved: bool,
    /// The typed texts that have no certain place now, by their cells in the older version.
    pub lost: BTreeMap<SheetCell, String>,
}

impl<'n> Followed<'n> {
    pub fn new(old: &SpreadsheetContent, mut asked: Cells<'_>, newest: &'n SpreadsheetContent) -> Self {
        let typed = std::mem::take(&mut asked.typed);
        let before = asked.sheet();
        // If the sheet is gone, another one is shown, because the page must show one.
        let shown = later_sheet(old, before, newest).unwrap_or_default();
        let places = later_places(old, newest, |index| typed.keys().any(|(sheet, _)| *sheet == index));
        let place_of = |(sheet, cell): SheetCell| {
            let (later, places) = places[sheet].as_ref()?;
            Some((*later, places.cell(cell)?))
        };
        // A formula names cells as its author saw them.
        let keeps_formulas = typed.values().any(|text| is_formula(text)) && all_stay(old, newest);

        let (mut placed, mut lost) = (Vec::new(), BTreeMap::new());
        for (from, text) in typed {
            match place_of(from).filter(|_| keeps_formulas || !is_formula(&text)) {
                Some(place) => placed.push((place, from, text)),
                None => drop(lost.insert(from, text)),
            }
        }
        let had_input = placed.iter().filter(|((sheet, _), from, _)| *sheet == shown && asked.shows(*from));
        let now: Vec<Cell> = had_input.map(|((_, cell), ..)| *cell).collect();
        let range = range(asked.range, (before, &newest.sheets[shown]), &now);
        let cells = Cells { content: newest, at: shown, range, typed: BTreeMap::new() };
        let mut followed = Self { cells, replaced: Vec::new(), has_moved: false, lost };
        for (place, from, text) in placed {
            followed.put(place, (old, from), text);
        }
        followed
    }

    fn put(&mut self, (sheet, cell): SheetCell, (old, from): (&SpreadsheetContent, SheetCell), text: String) {
        let (now, before) = (&self.cells.content.sheets[sheet], &old.sheets[from.0]);
        let theirs = text_of(now, cell);
        if theirs == text {
            return;
        }
        if theirs != text_of(before, from.1) {
            self.replaced.push((sheet, cell));
        }
        self.has_moved |= cell != from.1 || now.name != before.name;
        self.cells.typed.insert((sheet, cell), text);
    }
}

/// For each old sheet that is wanted, its index now and the places of its cells; `None` if nobody can tell.
fn later_places<'s>(
    old: &'s SpreadsheetContent,
    newest: &'s SpreadsheetContent,
    is_wanted: impl Fn(usize) -> bool,
) -> Vec<Option<(usize, Places<'s>)>> {
    let later = |(index, sheet): (usize, &'s Sheet)| {
        let later = later_sheet(old, sheet, newest).filter(|_| is_wanted(index))?;
        Some((later, Places::of(sheet, &newest.sheets[later])?))
    };
    old.sheets.iter().enumerate().map(later).collect()
}

/// The index of the sheet of this name, or of the one that has got another name. `None` if it is gone, or nobody can
/// tell.
fn later_sheet(old: &SpreadsheetContent, sheet: &Sheet, newest: &SpreadsheetContent) -> Option<usize> {
    if let Some((later, _)) = newest.sheet(&sheet.name) {
        return Some(later);
    }
    // Sheets have no ids. A renamed one has the same cells, if nobody has edited it too.
    let is_empty = sheet.texts().all(|(_, text)| text.is_empty());
    let mut gone = old.sheets.iter().filter(|old| newest.sheet(&old.name).is_none() && old.cells == sheet.cells);
    let is_come = |new: &Sheet| old.sheet(&new.name).is_none() && new.cells == sheet.cells;
    let mut come = newest.sheets.iter().enumerate().filter(|(_, new)| is_come(new));
    let (one, other) = (gone.nth(1), come.next());
    if is_empty || one.is_some() || come.next().is_some() { None } else { other.map(|(later, _)| later) }
}

/// Whether all cells of the workbook are where they were.
fn all_stay(old: &SpreadsheetContent, newest: &SpreadsheetContent) -> bool {
    old.sheets.iter().all(|sheet| {
        let places = newest.sheet(&sheet.name).and_then(|(_, later)| Places::of(sheet, later));
        places.is_some_and(|places| places.are_the_same())
    })
}

/// The cells to show: the asked ones, those with typed texts, and as many more as there are now.
fn range(asked: CellRange, (before, now): (&Sheet, &Sheet), placed: &[Cell]) -> CellRange {
    let Cell { row, column } = asked.last();
    let (rows, columns) = (now.rows().saturating_sub(before.rows()), now.columns().saturating_sub(before.columns()));
    // People add at the end, which may be farther away now.
    let last = Cell { row: (row + rows).min(ROWS - 1), column: (column + columns).min(COLUMNS - 1) };
    let all = [&[asked.first(), last][..], placed].concat();
    [&all[..], placed].into_iter().filter_map(around).find(|range| range.cell_count() <= INPUTS).unwrap_or(asked)
}

fn around(cells: &[Cell]) -> Option<CellRange> {
    let (rows, columns) = (cells.iter().map(|cell| cell.row), cells.iter().map(|cell| cell.column));
    let first = Cell { row: rows.clone().min()?, column: columns.clone().min()? };
    CellRange::new(first, Cell { row: rows.max()?, column: columns.max()? })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn workbook(sheets: Value) -> SpreadsheetContent {
        serde_json::from_value(json!({"kind": "sheets", "sheets": sheets})).expect("a workbook")
    }

    fn budget(cells: Value) -> SpreadsheetContent {
        workbook(json!([{"name": "Budget", "cells": cells}]))
    }

    /// What was typed, by the cells of the newest version, and what is lost, by those of the old one. `1.B2` is a cell
    /// of another sheet than the shown one.
    fn texts(old: &SpreadsheetContent, typed: &[(&str, &str)], newest: &SpreadsheetContent) -> (String, String) {
        let typed = typed.iter().map(|(cell, text)| {
            let (sheet, cell) = cell.split_once('.').unwrap_or(("0", *cell));
            let sheet = sheet.parse::<usize>().expect("an index");
            ((sheet, cell.parse::<Cell>().expect("a cell")), (*text).to_owned())
        });
        let range = CellRange::bounded("A1:C5").expect("a range");
        let asked = Cells { content: old, at: 0, range, typed: typed.collect() };
        let Followed { cells, replaced, lost, .. } = Followed::new(old, asked, newest);
        let name = |shown: usize, (sheet, cell): SheetCell| {
            if sheet == shown { cell.to_string() } else { format!("{sheet}.{cell}") }
        };
        let texts = |shown: usize, texts: &BTreeMap<SheetCell, String>| {
            texts.iter().map(|(cell, text)| format!("{}={text}", name(shown, *cell))).collect::<Vec<_>>().join(" ")
        };
        let replaced: String = replaced.iter().map(|cell| format!(" !{}", name(cells.at, *cell))).collect();
        (format!("{}!{}{replaced}", cells.sheet().name, texts(cells.at, &cells.typed)), texts(0, &lost))
    }

    fn said(now: &str, lost: &str) -> (String, String) {
        (now.to_owned(), lost.to_owned())
    }

    #[test]
    fn texts_follow_their_cells_and_what_others_wrote_there_is_known() {
        let old = budget(json!([["Rent", "900"], ["Food", "250"], ["Fun", "50"]]));
        let newest = budget(json!([["Item", "Price"], ["Rent", "950"], ["Fun", "50"]]));
        let typed = [("A1", "Rent "), ("B2", "275"), ("B3", "60"), ("B4", "7")];
        // The row of the rent has moved and was edited, and that of the food is gone.
        let followed = texts(&old, &typed, &newest);
        assert_eq!(followed, said("Budget!B3=60 B4=7", "A1=Rent  B2=275"));
        let newest = budget(json!([["Rent", "950"], ["Food", "275"], ["Fun", "50"]]));
        let followed = texts(&old, &[("B1", "1000"), ("B2", "275"), ("C3", "x")], &newest);
        assert_eq!(followed, said("Budget!B1=1000 C3=x !B1", ""));
    }

    #[test]
    fn an_emptied_cell_follows_too_and_an_end_that_is_elsewhere_is_not_certain() {
        let old = budget(json!([["Rent", "900"], ["Food", "250"]]));
        let newest = budget(json!([["", ""], ["Rent", "900"], ["Food", "250"], ["Fun", "50"]]));
        let followed = texts(&old, &[("B1", ""), ("A3", "Fees")], &newest);
        assert_eq!(followed, said("Budget!B2=", "A3=Fees"));
    }

    #[test]
    fn a_formula_stays_only_if_no_cell_has_moved() {
        let sheets = |rows: Value| {
            workbook(json!([{"name": "Budget", "cells": [["Rent", "900"]]}, {"name": "Rates", "cells": rows}]))
        };
        let (old, typed) = (sheets(json!([["1"], ["2"]])), [("A1", "Flat"), ("C1", "=Rates!A2")]);
        let edited = texts(&old, &typed, &sheets(json!([["1"], ["3"]])));
        assert_eq!(edited, said("Budget!A1=Flat C1==Rates!A2", ""));
        let moved = texts(&old, &typed, &sheets(json!([["0"], ["1"], ["2"]])));
        assert_eq!(moved, said("Budget!A1=Flat", "C1==Rates!A2"));
    }

    #[test]
    fn a_renamed_sheet_is_known_by_its_cells_and_no_other_is_taken_for_it() {
        let old = budget(json!([["Rent", "900"]]));
        let named = |name: &str, cells: Value| json!({"name": name, "cells": cells});
        let same = || json!([["Rent", "900"]]);
        let typed = [("B1", "950")];
        let renamed = workbook(json!([named("New", json!([["x"]])), named("2026", same())]));
        assert_eq!(texts(&old, &typed, &renamed), said("2026!B1=950", ""));
        for sheets in
            [json!([named("2026", json!([["Rent", "901"]]))]), json!([named("2026", same()), named("Copy", same())])]
        {
            assert_eq!(texts(&old, &typed, &workbook(sheets)), said("2026!", "B1=950"));
        }
        // Two that are alike, of which one was renamed and one deleted.
        let old = workbook(json!([named("Budget", same()), named("Copy", same())]));
        let followed = texts(&old, &typed, &workbook(json!([named("2026", same())])));
        assert_eq!(followed, said("2026!", "B1=950"));
    }

    #[test]
    fn what_has_no_input_follows_its_cell_too() {
        let sheets = |budget: Value, rates: Value| {
            workbook(json!([{"name": "Budget", "cells": budget}, {"name": "Rates", "cells": rates}]))
        };
        let rows: Vec<_> = (0..9).map(|row| json!([format!("row {row}"), "1"])).collect();
        let old = sheets(json!(rows), json!([["Euro", "1"], ["Pound", "2"]]));
        let later = [&[json!(["Item", ""])][..], &rows[..]].concat();
        let newest = sheets(json!(later), json!([["Franc", "1"], ["Euro", "1"], ["Pound", "3"]]));
        let typed = [("B2", "2"), ("B9", "9"), ("1.B1", "7"), ("1.B2", "8"), ("1.A3", "Yen")];
        let followed = texts(&old, &typed, &newest);
        assert_eq!(followed, said("Budget!B3=2 B10=9 1.B2=7 1.B3=8 1.A4=Yen !1.B3", ""));
        // The page does not grow to show what was typed elsewhere.
        let asked = CellRange::bounded("A1:C5").expect("a range");
        let typed = BTreeMap::from([((0, Cell { row: 8, column: 1 }), "9".to_owned())]);
        let followed = Followed::new(&old, Cells { content: &old, at: 0, range: asked, typed }, &newest);
        assert_eq!(followed.cells.range.to_string(), "A1:C6");
        assert_eq!(followed.cells.unshown(), [((0, Cell { row: 9, column: 1 }), "9")]);
    }

    #[test]
    fn the_shown_cells_reach_the_typed_ones_and_stay_few() {
        let rows = |count: usize| budget((0..count).map(|row| json!([format!("row {row}")])).collect());
        let cell = |text: &str| text.parse::<Cell>().expect("a cell");
        let (few, many) = (rows(3), rows(400));
        let shown = |asked: &str, placed: &[Cell]| {
            let asked = CellRange::bounded(asked).expect("a range");
            range(asked, (&few.sheets[0], &many.sheets[0]), placed).to_string()
        };
        assert_eq!(shown("A1:A4", &[]), "A1:A401");
        // 1203 cells are too many.
        assert_eq!(shown("A1:C4", &[cell("B399")]), "B399");
        assert_eq!(shown("A1:C4", &[cell("A1"), cell("C399")]), "A1:C4");
    }
}
