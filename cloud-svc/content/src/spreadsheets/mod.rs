//! Spreadsheets: files whose versions are sheets of cells.

pub mod a1;
pub mod compute;
mod concerned;
pub mod content;
pub mod csv;
pub mod edit;
pub mod formula;
pub mod import;
pub mod literal;
pub mod outline;
pub mod range;
mod references;
pub mod totals;
pub mod xlsx;

use std::collections::BTreeSet;

use serde_json::value::{RawValue, to_raw_value};
use shared_model::{Error, Failure, Name, Random};

use self::{
    content::{SpreadsheetContent, SpreadsheetKind, cell_rule::CellRule, sheet::Sheet},
    edit::operation::SpreadsheetOperation,
};
use crate::{
    anchor::Anchor,
    codes,
    content::{Content, Forbidden, PartKey},
    deleted::Deleted,
    grid::{Area, Grid, Sources},
    native_kind::{NativeKind, native_kind},
    part_id::PartId,
    passage::{Link, Passage, Place},
    preview::{Change, PlanWarning, Preview},
    view::{self, View},
    written::{Spot, Written},
};

/// The operation that lists the sheets of a workbook.
pub const LIST_SHEETS: &str = "list_sheets";
/// The operation that reads some cells of a sheet.
pub const GET_RANGE: &str = "get_range";

const KIND: NativeKind = native_kind!(
    Spreadsheet, "spreadsheet", "Spreadsheet", plan_kind = "sheets", file_ends = [],
    create = {
        "Without `content` it has one empty cell. Formulas are stored as sent; `/range?computed=true` calculates them.",
        refuses = &[&codes::FORMULA_NOT_ALLOWED]
    },
    read = {
        "The whole content. `/sheets` and `/range` read parts. Plans cannot change a `read_only` one.",
        refuses = &[]
    },
    resource = LIST_SHEETS,
);

impl Content for SpreadsheetContent {
    const KIND: &'static NativeKind = &KIND;
    const VIEWS: &'static [(&'static str, View)] = &[view::FULL];
    const SHIFT_ANCHOR: Option<fn(&SpreadsheetOperation, Anchor) -> Anchor> = Some(edit::anchors::shift_anchor);
    type Operation = SpreadsheetOperation;
    type OutlineEntry = ();

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

    fn loses_references(&self, later: &Self) -> bool {
        // Counted, because cells have no ids: rows that move and sheets with another name lose nothing.
        let lost = |content: &Self| {
            let texts = content.sheets.iter().flat_map(Sheet::texts);
            texts.filter(|(_, text)| formula::has_lost_reference(text)).count()
        };
        lost(later) > lost(self)
    }

    fn edit(&mut self, operation: &SpreadsheetOperation, preview: &mut Preview) -> Result<(), Error> {
        edit::edit(self, operation, preview)
    }

    fn partly(operation: &SpreadsheetOperation, kept: &[&Change]) -> Option<Vec<SpreadsheetOperation>> {
        edit::partly::partly(operation, kept)
    }

    fn part_ids(&self) -> Vec<&PartId> {
        Vec::new()
    }

    fn grids(&self) -> Vec<Grid> {
        edit::authored::grids(self)
    }

    fn sources(&self, later: &Self, edits: Option<&[SpreadsheetOperation]>) -> Sources {
        edit::authored::sources(self, later, edits)
    }

    fn place_of(&self, grid: usize, area: &Area) -> String {
        edit::authored::place(self, grid, area)
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

    fn links(&self) -> Vec<Link<'_>> {
        // A cell is a text or a formula, and neither is a link.
        Vec::new()
    }

    fn written(&self) -> Vec<Written<'_>> {
        let sheets =
            self.sheets.iter().map(|sheet| Written { spot: Spot::Sheet(&sheet.name), text: (&*sheet.name).into() });
        let texts = self.passages().map(|Passage { place, text, .. }| {
            let spot = match place {
                Place::Cell { sheet, row, column } => Spot::Cell { sheet, row, column },
                Place::Part(_) => Spot::Member("validation"),
            };
            Written { spot, text: text.into() }
        });
        sheets.chain(texts).collect()
    }

    fn differences(&self, later: &Self) -> BTreeSet<PartKey> {
        edit::differences::differences(self, later)
    }

    fn ambiguous(&self, later: &Self) -> BTreeSet<PartKey> {
        edit::differences::ambiguous(self, later)
    }

    fn relied_on(&self, operation: &SpreadsheetOperation) -> Vec<PartKey> {
        edit::relied_on::relied_on(self, operation)
    }

    fn compare(&self, later: &Self, preview: &mut Preview) -> Result<(), Error> {
        edit::comparison::compare(self, later, preview)
    }

    fn surroundings(&self, keys: &BTreeSet<PartKey>) -> Result<String, Failure> {
        edit::differences::surroundings(self, keys)
    }

    fn key_in_message(&self, key: &str) -> String {
        edit::differences::numbered(self, key)
    }

    fn totals(
        &self,
        later: &Self,
        operations: &[SpreadsheetOperation],
        warnings: &mut Vec<PlanWarning>,
    ) -> Result<Option<Box<RawValue>>, Failure> {
        Ok(Some(to_raw_value(&totals::totals(self, later, operations, warnings))?))
    }

    fn changes_at(&self, later: &Self, edits: Option<&[SpreadsheetOperation]>, places: &[Anchor]) -> Vec<bool> {
        edit::authored::changes_at(self, later, edits, places)
    }

    fn deleted_parts(&self, later: &Self, edits: Option<&[SpreadsheetOperation]>) -> Deleted {
        edit::authored::deleted_cells(self, later, edits)
    }

    fn is_rewritten(&self, later: &Self, edits: Option<&[SpreadsheetOperation]>) -> bool {
        edit::authored::is_rewritten(self, later, edits)
    }

    fn relied_formula(&self, later: &Self, edits: Option<&[SpreadsheetOperation]>) -> Option<String> {
        edit::relied_formula::relied_formula(self, later, edits)
    }

    fn has_anchor(&self, anchor: &Anchor) -> bool {
        edit::anchors::has_anchor(self, anchor)
    }
}
