//! Edits of spreadsheets.

mod anchors;
mod cells;
mod differences;
mod lines;
mod looks;
pub mod operation;
mod sheets;
mod splice;
mod target;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use shared_model::{Error, Name, Random};

use self::{lines::Lines, operation::SpreadsheetOperation};
use super::content::{SpreadsheetContent, SpreadsheetKind, cell_rule::CellRule, sheet::Sheet};
use crate::{
    anchor::Anchor,
    codes,
    content::{Content, Forbidden, PartKey},
    file_type::FileType,
    part_id::PartId,
    passage::{Passage, Place},
    preview::Preview,
};

impl Content for SpreadsheetContent {
    const TYPE: FileType = FileType::Spreadsheet;
    const KIND: &'static str = "sheets";
    type Operation = SpreadsheetOperation;

    fn smallest(_: &Name) -> Self {
        let sheet = Sheet { name: "Sheet1".to_owned(), cells: vec![vec![String::new()]] };
        let kind = SpreadsheetKind::Sheets;
        Self { kind, sheets: vec![sheet], formats: None, validation: None, widths: None, univer: None }
    }

    // Sheets are named and cells have addresses: there are no ids to give.
    fn give_ids(&mut self, _: &Random) {}

    fn give_ids_in(_: &mut SpreadsheetOperation, _: &Random) {}

    // Without parsing a megabyte. Canonical text has these bytes nowhere else: within a string the quotes are escaped.
    fn is_read_only(stored: &str) -> Option<bool> {
        Some(stored.contains(",\"univer\":"))
    }

    fn forbidden(&self) -> Option<Forbidden> {
        let problems = self.formula_problems();
        (!problems.is_empty()).then_some(Forbidden { code: &codes::FORMULA_NOT_ALLOWED, problems })
    }

    fn edit(&mut self, operation: &SpreadsheetOperation, preview: &mut Preview) -> Result<(), Error> {
        use SpreadsheetOperation as Op;
        if self.is_read_only() {
            return Err(codes::WORKBOOK_READ_ONLY.refusal().into());
        }
        match operation {
            Op::SetCells(set) => cells::set_cells(self, set, preview),
            Op::ClearRange(clear) => cells::clear_range(self, clear, preview),
            Op::InsertRows(to) => lines::insert(self, (&to.sheet, Lines::Rows), to.row - 1, to.count, preview),
            Op::DeleteRows(of) => lines::delete(self, (&of.sheet, Lines::Rows), of.row - 1, of.count, preview),
            Op::InsertColumns(to) => lines::insert(self, (&to.sheet, Lines::Columns), to.column.0, to.count, preview),
            Op::DeleteColumns(of) => lines::delete(self, (&of.sheet, Lines::Columns), of.column.0, of.count, preview),
            Op::AddSheet(add) => sheets::add(self, add, preview),
            Op::RenameSheet(rename) => sheets::rename(self, rename, preview),
            Op::DeleteSheet(delete) => sheets::delete(self, delete, preview),
            Op::SetFormat(set) => looks::set_format(self, set, preview),
            Op::SetValidation(set) => looks::set_validation(self, set, preview),
            Op::SetWidths(set) => looks::set_widths(self, set, preview),
        }
    }

    fn part_ids(&self) -> Vec<&PartId> {
        Vec::new()
    }

    // With the texts of validation rules, because an editor shows them as choices. An editor's own data is opaque.
    fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        let cells = self.sheets.iter().flat_map(|sheet| {
            sheet.texts().filter(|(_, text)| !text.is_empty()).map(|(cell, text)| {
                let place = Place::Cell { sheet: &sheet.name, row: cell.row, column: cell.column };
                Passage { place, text, link: None }
            })
        });
        let rules = self.validation.iter().flat_map(|rules| rules.iter());
        let values = rules.flat_map(|(_, rule)| match rule {
            CellRule::Number => &[][..],
            CellRule::List { values } => values,
        });
        cells.chain(values.map(|text| Passage { place: Place::Part("validation"), text, link: None }))
    }

    fn differences(&self, later: &Self) -> BTreeSet<PartKey> {
        differences::differences(self, later)
    }

    fn ambiguous(&self, later: &Self) -> BTreeSet<PartKey> {
        differences::ambiguous(self, later)
    }

    fn has_anchor(&self, anchor: &Anchor) -> bool {
        anchors::has_anchor(self, anchor)
    }

    fn shift_anchor(operation: &SpreadsheetOperation, anchor: Anchor) -> Anchor {
        anchors::shift_anchor(operation, anchor)
    }
}
