//! Reads workbooks of other programs (Office Open XML), which may be hostile.

mod archive;
mod cell_text;
mod formula;
#[cfg(test)]
mod tests;
mod workbook;

use std::panic::{AssertUnwindSafe, catch_unwind};

use cloud_content::spreadsheets::content::sheet::Sheet;

/// All sheets. A cell has the text that a person sees, or the source of its formula.
pub fn read(bytes: &[u8]) -> Result<Vec<Sheet>, String> {
    archive::check(bytes)?;
    // The reader is a third-party crate. A workbook on which it panics is refused, and the import continues.
    catch_unwind(AssertUnwindSafe(|| workbook::read(bytes)))
        .unwrap_or_else(|_| Err("must be a readable workbook".to_owned()))
}
