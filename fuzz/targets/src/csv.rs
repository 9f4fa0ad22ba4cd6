//! Whatever the text, reading it as CSV does not panic. What is accepted is written as CSV that reads the same. What is
//! written for other programs has no cell that they would take for a formula.

use cloud_content::spreadsheets::{csv, import::csv as import};

pub fn run(bytes: &[u8]) {
    let Ok(sheet) = import::read(crate::text::text(bytes)) else { return };
    // Raw, so that a spreadsheet of ours can go out and come back.
    let exact = import::read(&csv::csv(&sheet, true)).expect("what is written is read");
    assert_eq!(trimmed(exact.cells), trimmed(sheet.cells.clone()));
    let harmless = import::read(&csv::csv(&sheet, false)).expect("what is written is read");
    for cell in harmless.cells.iter().flatten() {
        assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']), "{cell:?}");
    }
}

/// Without empty rows at the end: an empty line is not a row there.
fn trimmed(mut cells: Vec<Vec<String>>) -> Vec<Vec<String>> {
    while cells.len() > 1 && cells.last().is_some_and(|row| row.iter().all(String::is_empty)) {
        cells.pop();
    }
    cells
}
