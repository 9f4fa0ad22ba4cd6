//! Operations that make some of the changes of another.

use std::collections::HashMap;

use super::operation::{SetCells, SpreadsheetOperation as Op};
use crate::{
    preview::Change,
    spreadsheets::a1::{cell::Cell, range::CellRange},
};

/// The texts of a rectangle of cells, row by row.
struct Block {
    first: Cell,
    rows: Vec<Vec<String>>,
}

/// The operations that set just these cells; `None` if the operation makes all of its changes or none.
pub fn partly(operation: &Op, kept: &[&Change]) -> Option<Vec<Op>> {
    let sheet = match operation {
        Op::SetCells(set) => &set.sheet,
        Op::Fill(to) => &to.sheet,
        Op::ClearRange(clear) => &clear.sheet,
        _ => return None,
    };
    // Cells next to each other in a row.
    let mut runs: Vec<(Cell, Vec<String>)> = Vec::new();
    for change in kept {
        let cell: Cell = change.place.cell.as_ref()?.parse().ok()?;
        let text: String = serde_json::from_str(change.after.as_ref()?.get()).ok()?;
        // The changes of these operations come row by row.
        match runs.last_mut() {
            Some((first, texts)) if first.row == cell.row && first.column + texts.len() == cell.column => {
                texts.push(text);
            }
            _ => runs.push((cell, vec![text])),
        }
    }
    blocks(runs).into_iter().map(|block| set_cells(sheet, block)).collect()
}

/// The runs, joined with those of the same columns in the row above.
fn blocks(runs: Vec<(Cell, Vec<String>)>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // The last block of these columns.
    let mut lowest: HashMap<(usize, usize), usize> = HashMap::new();
    for (first, texts) in runs {
        let index = *lowest.entry((first.column, texts.len())).or_insert(blocks.len());
        match blocks.get_mut(index) {
            Some(block) if block.first.row + block.rows.len() == first.row => block.rows.push(texts),
            _ => {
                lowest.insert((first.column, texts.len()), blocks.len());
                blocks.push(Block { first, rows: vec![texts] });
            }
        }
    }
    blocks
}

fn set_cells(sheet: &str, Block { first, rows }: Block) -> Option<Op> {
    let last = Cell { row: first.row + rows.len() - 1, column: first.column + rows.first()?.len() - 1 };
    let range = CellRange::new(first, last)?;
    Some(Op::SetCells(SetCells { sheet: sheet.to_owned(), range, values: rows }))
}
