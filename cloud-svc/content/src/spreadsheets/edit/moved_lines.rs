//! Whether rows or columns of a sheet have moved, although it has as many as before.

use std::collections::HashSet;

use crate::spreadsheets::{content::sheet::Sheet, formula::is_formula};

/// Whether a row or a column of `old` is in another place of `new`, which has the same size. Somebody inserted one and
/// deleted another.
// Cells have no ids. What tells is a line that is missing in its place and found in another.
pub fn has_moved_lines(old: &Sheet, new: &Sheet) -> bool {
    let row = |sheet: &Sheet, row: usize| line(sheet.cells[row].iter());
    let column = |sheet: &Sheet, column: usize| line(sheet.cells.iter().map(|row| &row[column]));
    has_moved(old, new, old.rows(), row) || has_moved(old, new, old.columns(), column)
}

fn has_moved(old: &Sheet, new: &Sheet, lines: usize, line: impl Fn(&Sheet, usize) -> Option<String>) -> bool {
    let pairs = (0..lines).map(|index| (line(old, index), line(new, index)));
    let (gone, come): (HashSet<_>, HashSet<_>) = pairs.filter(|(old, new)| old != new).unzip();
    gone.intersection(&come).any(Option::is_some)
}

/// The texts of a line; `None` if they are all empty, since empty lines are alike.
fn line<'t>(cells: impl Iterator<Item = &'t String>) -> Option<String> {
    let mut texts = String::new();
    let mut is_empty = true;
    for text in cells {
        is_empty &= text.is_empty();
        // References follow their cells, so the numbers in a formula change when it moves.
        let is_kept = |c: &char| !is_formula(text) || !(c.is_ascii_digit() || c.is_ascii_uppercase());
        texts.extend(text.chars().filter(is_kept));
        texts.push('\0');
    }
    (!is_empty).then_some(texts)
}
