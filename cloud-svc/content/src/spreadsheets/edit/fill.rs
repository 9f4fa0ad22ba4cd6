//! Copies cells along a range.

use std::collections::HashMap;

use shared_model::{Error, Problem};

use super::{
    cells::{loses_reference, write_all},
    follow::shown,
    operation::Fill,
    target::{cell_key, find_sheet},
};
use crate::{
    codes,
    preview::{Preview, Severity, WarningCode},
    spreadsheets::{
        a1::cell::Cell,
        content::{SpreadsheetContent, sheet::CELL_BYTES},
        formula::{
            self, is_formula,
            rewrite::{Rewritten, rewrite},
            tree::{Area, Expression, Line},
        },
    },
};

/// Writes copies of the cells `from` into the range, as often as it has room.
pub fn fill(content: &mut SpreadsheetContent, fill: &Fill, preview: &mut Preview) -> Result<(), Error> {
    let index = find_sheet(content, &fill.sheet, "/sheet", preview)?;
    let (from, to) = (fill.from, fill.range);
    let (height, width) = (from.rows().len(), from.columns().len());
    if !to.rows().len().is_multiple_of(height) || !to.columns().len().is_multiple_of(width) {
        let rule = format!("must be as high and as wide as {from}, or a multiple of it, is {to}");
        return Err(preview.invalid("/range", rule));
    }
    let (sheet, names) = (&content.sheets[index], content.sheet_names());
    let (mut trees, mut problems) = (HashMap::<Cell, Option<Expression>>::new(), Vec::new());
    let (mut written, mut lost) = (Vec::new(), Vec::new());
    for cell in to.cells() {
        let source = fill.source_of(cell);
        if source == cell {
            continue;
        }
        let text = sheet.text(source).unwrap_or_default();
        let tree = trees.entry(source).or_insert_with(|| match formula::parse(text, &names) {
            _ if !is_formula(text) => None,
            Ok(tree) => Some(tree),
            // A copy is a new formula, which must be one of those that are allowed.
            Err(error) => {
                problems.push(Problem { at: "/from".to_owned(), rule: format!("{source} {error}") });
                None
            }
        });
        let copy = tree.as_ref().and_then(|tree| copied(text, tree, source, cell));
        let copy = copy.map_or_else(|| text.to_owned(), |copy| copy.text);
        if copy.len() > CELL_BYTES {
            let rule =
                format!("must leave formulas of at most {CELL_BYTES} bytes; that in {cell} would have {}", copy.len());
            return Err(preview.invalid("/range", rule));
        }
        let before = sheet.text(cell).unwrap_or_default();
        if loses_reference(before, &copy) {
            lost.push((cell, shown(text)));
        }
        if before != copy {
            written.push((cell, copy));
        }
    }
    if !problems.is_empty() {
        return Err(preview.refuse_all(&codes::FORMULA_NOT_ALLOWED, problems));
    }
    write_all(content, index, &written, preview)?;
    for (cell, formula) in lost {
        preview.warn(WarningCode::FormulaReferenceLost, Severity::High, cell_key(&fill.sheet, cell), formula);
    }
    Ok(())
}

/// The formula of `source` as it is in `copy`; `None` if that is the same text.
pub fn copied(formula: &str, tree: &Expression, source: Cell, copy: Cell) -> Option<Rewritten> {
    rewrite(formula, tree, |reference| reference.with_area(moved(reference.area, source, copy)))
}

/// The area to which a copy refers.
fn moved(area: Area, source: Cell, copy: Cell) -> Area {
    let by = |from: usize, to: usize, length: usize| {
        move |ends: [Line; 2]| {
            let end = |line: Line| {
                let index = if line.is_absolute { line.index } else { (line.index + to).checked_sub(from)? };
                (index < length).then_some(Line { index, ..line })
            };
            Some([end(ends[0])?, end(ends[1])?])
        }
    };
    area.with_rows(by(source.row, copy.row, formula::ROWS)).with_columns(by(
        source.column,
        copy.column,
        formula::COLUMNS,
    ))
}
