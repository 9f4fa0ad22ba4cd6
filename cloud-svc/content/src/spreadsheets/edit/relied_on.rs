//! The sheets to which the formulas of an operation refer.

use super::operation::SpreadsheetOperation;
use crate::{
    content::PartKey,
    name_key::name_key,
    spreadsheets::{
        content::SpreadsheetContent,
        formula::{self, is_formula},
    },
};

/// The keys of the sheets to which written formulas refer by name.
// Formulas are written as they are sent. On a sheet whose rows others have moved they would refer to other cells.
pub fn relied_on(content: &SpreadsheetContent, operation: &SpreadsheetOperation) -> Vec<PartKey> {
    let texts = match operation {
        SpreadsheetOperation::SetCells(set) => &set.values,
        SpreadsheetOperation::AddSheet(add) => &add.cells,
        _ => return Vec::new(),
    };
    let formulas = texts.iter().flatten().filter(|text| is_formula(text) && text.contains('!'));
    let mut named: Vec<String> = Vec::new();
    for tree in formulas.filter_map(|text| formula::parse_stored(text).ok()) {
        let sheets = tree.references().into_iter().filter_map(|reference| reference.sheet.as_ref());
        named.extend(sheets.map(|sheet| name_key(&sheet.name)));
    }
    let is_named = |name: &str| named.contains(&name_key(name));
    content.sheets.iter().filter(|sheet| is_named(&sheet.name)).map(|sheet| sheet.name.clone()).collect()
}
