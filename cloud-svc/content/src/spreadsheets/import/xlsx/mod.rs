//! Reads workbooks of other programs (Office Open XML), which may be hostile.

mod cell_text;
mod examined;
mod formula;
mod last_values;
mod layout;
mod package;
mod parts;
mod sheet_notes;
mod styles;
#[cfg(test)]
mod tests;
mod texts;
mod workbook;

use self::examined::Examined;
use crate::{
    foreign,
    lost::ImportWarning,
    spreadsheets::content::{SpreadsheetContent, SpreadsheetKind},
};

/// A workbook as it can be here, and what it has lost.
#[derive(Debug)]
pub struct Imported {
    pub content: SpreadsheetContent,
    pub warnings: Vec<ImportWarning>,
}

/// All sheets. A cell has the text that a person sees, or the source of its formula.
pub fn read(bytes: &[u8]) -> Result<Imported, String> {
    // So the import of a folder continues, whatever the workbook.
    foreign::read_or(|| "must be a readable Office file".to_owned(), || read_parts(bytes))
}

fn read_parts(bytes: &[u8]) -> Result<Imported, String> {
    let mut examined = examined::examine(bytes)?;
    let (sheets, last_values) = workbook::read(bytes, &mut examined)?;
    let kind = SpreadsheetKind::Sheets;
    let mut content = SpreadsheetContent { kind, sheets, formats: None, validation: None, widths: None, univer: None };
    let Examined { styles, sheets, mut losses } = examined;
    for (index, (sheet, notes)) in sheets.iter().enumerate() {
        layout::add(&mut content, index, sheet, notes, &styles, &mut losses);
    }
    layout::add_rules(&mut content, &sheets, &mut losses);
    last_values.compare(&content, &mut losses);
    Ok(Imported { content, warnings: losses.warnings() })
}
