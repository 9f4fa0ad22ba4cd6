//! Edits of spreadsheets.

pub mod anchors;
pub mod authored;
mod cells;
pub mod comparison;
pub mod differences;
pub mod fill;
mod follow;
mod formatting;
pub(in crate::spreadsheets) mod lines;
mod moved_lines;
pub mod operation;
pub mod partly;
pub mod relied_formula;
pub mod relied_on;
mod rows_columns;
mod sheets;
pub(in crate::spreadsheets) mod shift;
mod target;
#[cfg(test)]
mod tests;

use shared_model::Error;

use self::{lines::Lines, operation::SpreadsheetOperation};
use super::content::SpreadsheetContent;
use crate::{codes, preview::Preview};

/// Carries out one operation.
pub fn edit(
    content: &mut SpreadsheetContent,
    operation: &SpreadsheetOperation,
    preview: &mut Preview,
) -> Result<(), Error> {
    use SpreadsheetOperation as Op;
    if content.is_read_only() {
        return Err(codes::WORKBOOK_READ_ONLY.refusal().into());
    }
    match operation {
        Op::SetCells(set) => cells::set_cells(content, set, preview),
        Op::Fill(to) => fill::fill(content, to, preview),
        Op::ClearRange(clear) => cells::clear_range(content, clear, preview),
        Op::InsertRows(to) => rows_columns::insert(content, (&to.sheet, Lines::Rows), to.row - 1, to.count, preview),
        Op::DeleteRows(of) => rows_columns::delete(content, (&of.sheet, Lines::Rows), of.row - 1, of.count, preview),
        Op::InsertColumns(to) => {
            rows_columns::insert(content, (&to.sheet, Lines::Columns), to.column.0, to.count, preview)
        }
        Op::DeleteColumns(of) => {
            rows_columns::delete(content, (&of.sheet, Lines::Columns), of.column.0, of.count, preview)
        }
        Op::AddSheet(add) => sheets::add(content, add, preview),
        Op::RenameSheet(rename) => sheets::rename(content, rename, preview),
        Op::DeleteSheet(delete) => sheets::delete(content, delete, preview),
        Op::SetFormat(set) => formatting::set_format(content, set, preview),
        Op::SetValidation(set) => formatting::set_validation(content, set, preview),
        Op::SetWidths(set) => formatting::set_widths(content, set, preview),
    }
}
