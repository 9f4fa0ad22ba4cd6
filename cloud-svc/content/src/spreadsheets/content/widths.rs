//! The widths of columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shared_model::{
    FromJson, JsonReader,
    rule::{Array, Integer, Rule},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema},
};

use super::{
    cell_key::{SHEET_RULE, SheetKey},
    sheet::SHEETS,
};
use crate::spreadsheets::a1::column::COLUMNS;

/// Column widths in one of two forms. A list may be shorter or longer than its sheet is wide.
// Content keeps the form in which it was sent, so that it reads back as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Widths {
    /// By the order of the sheets.
    Lists(Vec<Vec<i64>>),
    /// By the index of the sheet.
    BySheet(BTreeMap<SheetKey, Vec<i64>>),
}

/// The widths of one sheet, from its first column.
pub type SheetWidths = Array<Integer<0, 600>, 0, COLUMNS>;

type Lists = Array<SheetWidths, 0, SHEETS>;

impl Widths {
    /// The widths of a sheet; empty if it has none.
    pub fn of(&self, sheet: usize) -> &[i64] {
        let list = match self {
            Self::Lists(lists) => lists.get(sheet),
            Self::BySheet(lists) => lists.get(&SheetKey(sheet)),
        };
        list.map_or(&[], Vec::as_slice)
    }

    /// Sets the widths of a sheet.
    pub fn set(&mut self, sheet: usize, widths: Vec<i64>) {
        match self {
            Self::Lists(lists) => {
                // Empty lists for the sheets before it, because a list belongs to a sheet by its place alone.
                lists.resize(lists.len().max(sheet + 1), Vec::new());
                lists[sheet] = widths;
            }
            Self::BySheet(lists) if widths.is_empty() => {
                lists.remove(&SheetKey(sheet));
            }
            Self::BySheet(lists) => {
                lists.insert(SheetKey(sheet), widths);
                // Keys need not name an existing sheet. If there are too many, the last key names none.
                if lists.len() > SHEETS {
                    lists.pop_last();
                }
            }
        }
    }

    /// Makes room for a new sheet at this index.
    pub fn insert_sheet(&mut self, sheet: usize) {
        match self {
            Self::Lists(lists) if sheet < lists.len() => {
                lists.insert(sheet, Vec::new());
                // There may be more lists than sheets. The list that falls off belonged to no sheet.
                lists.truncate(SHEETS);
            }
            Self::Lists(_) => {}
            Self::BySheet(lists) => renumber(lists, |at| Some(at + usize::from(at >= sheet))),
        }
    }

    /// Removes the widths of a deleted sheet.
    pub fn delete_sheet(&mut self, sheet: usize) {
        match self {
            Self::Lists(lists) if sheet < lists.len() => {
                lists.remove(sheet);
            }
            Self::Lists(_) => {}
            Self::BySheet(lists) => renumber(lists, |at| (at != sheet).then(|| at - usize::from(at > sheet))),
        }
    }

    /// Gives inserted columns the width of the column on their left, or else of the one on their right.
    pub fn insert_columns(&mut self, sheet: usize, column: usize, count: usize) {
        let mut widths = self.of(sheet).to_vec();
        if column < widths.len() {
            let width = widths[column.saturating_sub(1)];
            widths.splice(column..column, std::iter::repeat_n(width, count));
            // A list may be longer than its sheet, so it can overflow where the sheet does not.
            widths.truncate(COLUMNS);
            self.set(sheet, widths);
        }
    }

    pub fn delete_columns(&mut self, sheet: usize, column: usize, count: usize) {
        let mut widths = self.of(sheet).to_vec();
        if column < widths.len() {
            widths.drain(column..widths.len().min(column + count));
            self.set(sheet, widths);
        }
    }
}

/// Gives each list the new index of its sheet. Lists without a writable index are dropped.
fn renumber(lists: &mut BTreeMap<SheetKey, Vec<i64>>, new: impl Fn(usize) -> Option<usize>) {
    // Keys need not name an existing sheet: one at the largest index would move beyond what can be written.
    let moved = std::mem::take(lists).into_iter().filter_map(|(SheetKey(at), list)| Some((SheetKey(new(at)?), list)));
    *lists = moved.filter(|(sheet, _)| sheet.is_writable()).collect();
}

impl FromJson for Widths {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        if reader.value().is_array() {
            return Lists::read(reader).map(Self::Lists);
        }
        let lists = reader.entries(SHEETS, |name, entry| {
            let sheet = name.parse().ok().or_else(|| entry.refuse(SHEET_RULE));
            let list = SheetWidths::read(entry);
            Some((sheet?, list?))
        })?;
        Some(Self::BySheet(lists.into_iter().collect()))
    }
}

impl PartialSchema for Widths {
    fn schema() -> RefOr<Schema> {
        OneOfBuilder::new()
            .description(Some("The widths of columns: a list for each sheet, or by the index of the sheet."))
            .item(Ref::from_schema_name(LISTS))
            .item(Ref::from_schema_name(BY_SHEET))
            .into()
    }
}

// The names of the two forms in OpenAPI.
const LISTS: &str = "WidthLists";
const BY_SHEET: &str = "WidthsBySheet";

impl ToSchema for Widths {
    fn schemas(components: &mut Vec<(String, RefOr<Schema>)>) {
        let by_sheet = ObjectBuilder::new()
            .description(Some("Lists by the index of the sheet."))
            .property_names(Some(<SheetKey as PartialSchema>::schema()))
            .additional_properties(Some(<SheetWidths as Rule>::schema()))
            .max_properties(Some(SHEETS));
        components.push((LISTS.to_owned(), <Lists as Rule>::schema()));
        components.push((BY_SHEET.to_owned(), by_sheet.into()));
    }
}
