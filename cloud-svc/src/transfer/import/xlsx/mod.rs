//! Workbooks of other programs (Office Open XML). Whoever made one may have meant harm.

mod archive;
mod cell_text;
mod formula;
#[cfg(test)]
mod tests;
mod workbook;

use std::panic::{AssertUnwindSafe, catch_unwind};

use cloud_content::spreadsheets::content::sheet::Sheet;

/// Reads all sheets of a workbook. Their cells have the text that a person sees, or the source of a formula.
pub fn read(bytes: &[u8]) -> Result<Vec<Sheet>, String> {
    archive::check(bytes)?;
    // The reader of workbooks is not ours: one that it panics at is refused, and the import goes on.
    catch_unwind(AssertUnwindSafe(|| workbook::read(bytes)))
        .unwrap_or_else(|_| Err("must be a workbook that can be read".to_owned()))
}
