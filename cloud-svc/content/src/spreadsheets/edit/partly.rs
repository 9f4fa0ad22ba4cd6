//! Operations that make some of the changes of another.

use super::operation::{SetCells, SpreadsheetOperation as Op};
use crate::{
    preview::Change,
    spreadsheets::a1::{cell::Cell, range::CellRange},
};

/// Some cells next to each other in a row, and their texts.
struct Run {
    first: Cell,
    texts: Vec<String>,
}

/// The operations that set just these cells; `None` if the operation makes all of its changes or none.
pub fn partly(operation: &Op, kept: &[&Change]) -> Option<Vec<Op>> {
    let sheet = match operation {
        Op::SetCells(set) => &set.sheet,
        Op::Fill(to) => &to.sheet,
        Op::ClearRange(clear) => &clear.sheet,
        _ => return None,
    };
    let mut runs: Vec<Run> = Vec::new();
    for change in kept {
        let cell: Cell = change.place.cell.as_ref()?.parse().ok()?;
        let text: String = serde_json::from_str(change.after.as_ref()?.get()).ok()?;
        // The changes of these operations come row by row.
        match runs.last_mut() {
            Some(Run { first, texts }) if first.row == cell.row && first.column + texts.len() == cell.column => {
                texts.push(text);
            }
            _ => runs.push(Run { first: cell, texts: vec![text] }),
        }
    }
    runs.into_iter().map(|run| set_cells(sheet, run)).collect()
}

fn set_cells(sheet: &str, Run { first, texts }: Run) -> Option<Op> {
    let last = Cell { row: first.row, column: first.column + texts.len() - 1 };
    let range = CellRange::new(first, last)?;
    Some(Op::SetCells(SetCells { sheet: sheet.to_owned(), range, values: vec![texts] }))
}
