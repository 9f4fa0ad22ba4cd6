//! The edits that write what was typed into cells.

use serde_json::{Value, json};
use shared_model::{Error, NextAction, Problem, Refusal, code};

use super::{
    cells::{Cells, INPUTS},
    kept,
};
use crate::base::limits::EDIT_OPERATIONS;
use cloud_content::spreadsheets::a1::{cell::Cell, range::CellRange};

// Beyond this number, one edit writes cells that are near one another: a plan has at most EDIT_OPERATIONS.
const RUNS: usize = 40;

/// A rectangle of cells of a sheet.
struct Block {
    sheet: usize,
    first: Cell,
    last: Cell,
}

/// One edit for each run of changed cells in a row; 422 if there are too many for a plan.
pub fn operations(cells: &Cells<'_>) -> Result<Vec<Value>, Refusal> {
    let mut runs: Vec<Block> = Vec::new();
    for (sheet, cell) in cells.typed.keys().copied() {
        match runs.last_mut() {
            Some(run) if run.sheet == sheet && run.last.row == cell.row && run.last.column + 1 == cell.column => {
                run.last = cell;
            }
            _ => runs.push(Block { sheet, first: cell, last: cell }),
        }
    }
    let blocks = if runs.len() > RUNS { joined(runs) } else { runs };
    if blocks.len() > EDIT_OPERATIONS {
        let rule = "must be in fewer places for one preview: open the page again, and change some of them first";
        let problem = Problem { at: "The cells".to_owned(), rule: rule.to_owned() };
        return Err(Refusal::problems(&code::INVALID_FIELD, vec![problem]));
    }
    Ok(blocks.iter().map(|block| block.operation(cells)).collect())
}

/// Fewer blocks: each also has the cells between its runs, which are written with the text that they have.
fn joined(runs: Vec<Block>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for run in runs {
        let both = blocks.last().and_then(|block| block.with(&run));
        match (blocks.last_mut(), both) {
            (Some(block), Some(both)) => *block = both,
            _ => blocks.push(run),
        }
    }
    blocks
}

impl Block {
    /// The rectangle around both; `None` if it has more cells than a page.
    fn with(&self, next: &Self) -> Option<Self> {
        let (one, other) = (self.first, next.first);
        let first = Cell { row: one.row.min(other.row), column: one.column.min(other.column) };
        let (one, other) = (self.last, next.last);
        let last = Cell { row: one.row.max(other.row), column: one.column.max(other.column) };
        let cells = (last.row - first.row + 1) * (last.column - first.column + 1);
        (self.sheet == next.sheet && cells <= INPUTS).then_some(Self { sheet: self.sheet, first, last })
    }

    fn operation(&self, cells: &Cells<'_>) -> Value {
        let Self { sheet, first, last } = *self;
        let row = |row| -> Vec<&str> {
            (first.column..=last.column).map(|column| cells.text((sheet, Cell { row, column }))).collect()
        };
        let values: Vec<Vec<&str>> = (first.row..=last.row).map(row).collect();
        let range = format!("{first}:{last}");
        json!({"op": "set_cells", "sheet": cells.content.sheets[sheet].name, "range": range, "values": values})
    }
}

/// The same refusal, but with the names of cells: a person does not know the edits that the form makes. `shown` is the
/// sheet that a cell without its name is in.
pub fn named(operations: &[Value], shown: &str, error: Error) -> Error {
    let refusal = match error {
        Error::Refused(refusal) => refusal,
        failed @ Error::Failed(_) => return failed,
    };
    let Some(NextAction::CorrectRequest { problems }) = refusal.next_action(false) else {
        return Error::Refused(refusal);
    };
    if !problems.iter().any(|problem| cell_at(operations, &problem.at).is_some()) {
        return Error::Refused(refusal);
    }
    let named = |problem: Problem| match cell_at(operations, &problem.at) {
        Some((sheet, cell)) => {
            let name = if sheet == shown { cell.to_string() } else { kept::name(sheet, cell) };
            Problem { at: format!("Cell {name}"), rule: problem.rule }
        }
        None => problem,
    };
    Refusal::problems(refusal.code, problems.into_iter().map(named).collect()).into()
}

/// The sheet and the cell that a JSON pointer into the edits names.
fn cell_at<'o>(operations: &'o [Value], pointer: &str) -> Option<(&'o str, Cell)> {
    let (operation, place) = pointer.strip_prefix("/operations/")?.split_once("/values/")?;
    let (row, column) = place.split_once('/')?;
    let operation = operations.get(operation.parse::<usize>().ok()?)?;
    let first = CellRange::bounded(operation.get("range")?.as_str()?).ok()?.first();
    let cell =
        Cell { row: first.row + row.parse::<usize>().ok()?, column: first.column + column.parse::<usize>().ok()? };
    Some((operation.get("sheet")?.as_str()?, cell))
}

#[cfg(test)]
mod tests {
    use cloud_content::spreadsheets::content::SpreadsheetContent;

    use super::*;

    fn edits(typed: &[(usize, usize, usize)]) -> Vec<(String, String)> {
        let sheet = |name: &str| json!({"name": name, "cells": vec![vec!["old"; 9]; 99]});
        let sheets = json!({"kind": "sheets", "sheets": [sheet("A"), sheet("B")]});
        let content: SpreadsheetContent = serde_json::from_value(sheets).expect("a workbook");
        let typed = typed.iter().map(|(sheet, row, column)| ((*sheet, Cell { row: *row, column: *column }), "new"));
        let typed = typed.map(|(cell, text)| (cell, text.to_owned())).collect();
        let range = CellRange::bounded("A1:I20").expect("a range");
        let operations = operations(&Cells { content: &content, at: 0, range, typed }).expect("few edits");
        let text = |operation: &Value, member: &str| operation[member].as_str().expect("text").to_owned();
        operations.iter().map(|operation| (text(operation, "sheet"), text(operation, "range"))).collect()
    }

    #[test]
    fn too_many_places_are_refused_in_words_of_a_person() {
        let sheets = json!({"kind": "sheets", "sheets": [{"name": "A", "cells": vec![vec!["old"; 26]; 2000]}]});
        let content: SpreadsheetContent = serde_json::from_value(sheets).expect("a workbook");
        let range = CellRange::bounded("A1:I20").expect("a range");
        // Two neighbors span more cells than a page.
        let typed = |places: usize| {
            let cell = |place: usize| (0, Cell { row: place * 20, column: place % 2 * 25 });
            (0..places).map(|place| (cell(place), "new".to_owned())).collect()
        };
        let made = |places| operations(&Cells { content: &content, at: 0, range, typed: typed(places) });
        assert_eq!(made(EDIT_OPERATIONS).expect("as many as a plan takes").len(), EDIT_OPERATIONS);
        let refused = made(EDIT_OPERATIONS + 1).expect_err("one more");
        let Some(NextAction::CorrectRequest { problems }) = refused.next_action(false) else { panic!("{refused:?}") };
        assert_eq!(problems[0].at, "The cells");
    }

    fn named(edits: &[(&str, &str)]) -> Vec<(String, String)> {
        edits.iter().map(|(sheet, range)| ((*sheet).to_owned(), (*range).to_owned())).collect()
    }

    #[test]
    fn cells_next_to_each_other_in_a_row_are_one_edit() {
        let typed = [(0, 0, 1), (0, 0, 2), (0, 0, 4), (0, 1, 1), (1, 1, 2), (1, 1, 3)];
        let wanted = named(&[("A", "B1:C1"), ("A", "E1:E1"), ("A", "B2:B2"), ("B", "C2:D2")]);
        assert_eq!(edits(&typed), wanted);
    }

    #[test]
    fn many_edits_become_few_with_the_cells_between_and_none_is_larger_than_a_page() {
        let mut typed: Vec<(usize, usize, usize)> = (0..99).flat_map(|row| [(0, row, 0), (0, row, 6)]).collect();
        typed.push((1, 50, 3));
        // 71 rows of 7 cells are 497.
        assert_eq!(edits(&typed), named(&[("A", "A1:G71"), ("A", "A72:G99"), ("B", "D51:D51")]));
    }
}
