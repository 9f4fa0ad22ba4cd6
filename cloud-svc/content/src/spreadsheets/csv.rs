//! A sheet as comma-separated values (RFC 4180).

use std::borrow::Cow;

use shared_model::{Error, text::is_invisible};

use super::{
    a1::cell::Cell,
    compute::{TooLarge, Value, Workbook},
    content::{SpreadsheetContent, sheet::Sheet},
};
use crate::{codes, limits::RESPONSE_BYTES};

// Programs that open CSV may treat a cell as a formula if it begins with one of these (CWE-1236).
const FORMULA_STARTS: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// The sheet as CSV in rows that end with CR LF. Unless `raw`, text that looks like a formula gets a leading `'`.
pub fn csv(sheet: &Sheet, raw: bool) -> String {
    // Quotation marks alone would not help: programs remove them before they look for a formula.
    let safe = |text| if raw { Cow::Borrowed(text) } else { harmless(text) };
    let mut csv = String::new();
    for row in &sheet.cells {
        write_row(&mut csv, row.iter().map(|text| safe(text.as_str())));
    }
    csv
}

/// Like [`csv()`], with the values of the cells. 413 if it is longer than an answer may be.
pub fn computed_csv(content: &SpreadsheetContent, index: usize, raw: bool) -> Result<String, Error> {
    let mut workbook = Workbook::new(content);
    let sheet = &content.sheets[index];
    let mut csv = String::new();
    for row in 0..sheet.rows() {
        let values: Result<Vec<Value>, TooLarge> =
            (0..sheet.columns()).map(|column| workbook.value(index, Cell { row, column })).collect();
        let text = |value: &Value| match value {
            // Only a text can be a formula for another program. `-5` is a number.
            Value::Text(text) if !raw => harmless(text).into_owned(),
            value => value.shown(),
        };
        let texts: Vec<String> = values?.iter().map(text).collect();
        write_row(&mut csv, texts.iter().map(|text| Cow::Borrowed(text.as_str())));
        // While it is written: formulas can repeat a text until the memory is full.
        if csv.len() > RESPONSE_BYTES {
            return Err(codes::RESPONSE_TOO_LARGE.refusal().into());
        }
    }
    Ok(csv)
}

fn write_row<'a>(csv: &mut String, cells: impl ExactSizeIterator<Item = Cow<'a, str>>) {
    let is_alone = cells.len() == 1;
    for (index, text) in cells.enumerate() {
        if index > 0 {
            csv.push(',');
        }
        // A row of one empty cell would be an empty line, which CSV readers skip.
        // Some programs split at `;` or tab. A U+FEFF at the start of a file would be read as a byte order mark.
        if text.contains([',', ';', '\t', '\u{feff}', '"', '\r', '\n']) || (text.is_empty() && is_alone) {
            csv.push('"');
            csv.push_str(&text.replace('"', "\"\""));
            csv.push('"');
        } else {
            csv.push_str(&text);
        }
    }
    csv.push_str("\r\n");
}

fn harmless(text: &str) -> Cow<'_, str> {
    if looks_like_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Whether a program may treat the text as a formula when it reads or edits the cell.
pub fn looks_like_formula(text: &str) -> bool {
    // Programs ignore spaces and invisible characters before a formula, and some split a cell at `;`.
    let seen = text.trim_start_matches(|c: char| c == ';' || c.is_whitespace() || is_invisible(c));
    text.starts_with(FORMULA_STARTS) || seen.starts_with(FORMULA_STARTS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::spreadsheets::import::cells::of_sheet;

    fn sheet(cells: Vec<Vec<String>>) -> Sheet {
        Sheet { name: "Budget".to_owned(), cells }
    }

    /// The cells of CSV, read by the letter of RFC 4180.
    fn read(csv: &str) -> Vec<Vec<String>> {
        let (mut rows, mut row, mut cell, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
        let mut characters = csv.chars().peekable();
        while let Some(c) = characters.next() {
            match c {
                '"' if is_quoted && characters.next_if_eq(&'"').is_some() => cell.push('"'),
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
                '\r' if !is_quoted => {
                    assert_eq!(characters.next(), Some('\n'), "a CR outside of quotation marks ends a row");
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                c => cell.push(c),
            }
        }
        assert!(!is_quoted && row.is_empty() && cell.is_empty(), "the last row is ended");
        rows
    }

    #[test]
    fn whatever_begins_like_a_formula_gets_an_apostrophe_within_its_quotation_marks() {
        for (text, written) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\r=1\""),
            ("\n=1", "\"'\n=1\""),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("\u{ff0b}1", "'\u{ff0b}1"),
            ("\u{ff0d}1", "'\u{ff0d}1"),
            ("\u{ff20}A1", "'\u{ff20}A1"),
            ("=HYPERLINK(\"http://e\",\"x\")", "\"'=HYPERLINK(\"\"http://e\"\",\"\"x\"\")\""),
            ("=1,2", "\"'=1,2\""),
            ("\"=1", "\"\"\"=1\""),
            ("1=1", "1=1"),
            ("a-b", "a-b"),
            (" =1", "' =1"),
            ("\u{a0}=1", "'\u{a0}=1"),
            ("\u{200b}=1", "'\u{200b}=1"),
            ("\u{feff}=1", "\"'\u{feff}=1\""),
            ("\u{feff}a", "\"\u{feff}a\""),
            (";=1", "\"';=1\""),
            ("a;=1", "\"a;=1\""),
            (" 1", " 1"),
            ("", "\"\""),
        ] {
            assert_eq!(csv(&sheet(vec![vec![text.to_owned()]]), false), format!("{written}\r\n"), "{text:?}");
        }
    }

    #[test]
    fn raw_text_is_as_it_is_in_the_sheet() {
        let cells = vec![vec!["=A1".to_owned(), "-1".to_owned()], vec![String::new(), "a\"b,c".to_owned()]];
        assert_eq!(csv(&sheet(cells), true), "=A1,-1\r\n,\"a\"\"b,c\"\r\n");
    }

    #[test]
    fn a_text_that_formulas_repeat_ends_at_the_bound_of_an_answer() {
        let computed = |rows: usize| {
            let text = |row: usize| if row == 0 { "x".repeat(10_000) } else { "=A$1".to_owned() };
            computed_csv(&of_sheet(sheet((0..rows).map(|row| vec![text(row)]).collect())), 0, true)
        };
        assert_eq!(computed(400).expect("short enough").len(), 400 * 10_002);
        let Err(Error::Refused(refusal)) = computed(500) else { panic!("five megabytes are written") };
        assert_eq!(refusal.code.name, "response_too_large");
    }

    proptest! {
        #[test]
        fn csv_is_read_back_and_no_cell_of_it_begins_like_a_formula(
            columns in 1usize..4, texts in proptest::collection::vec("[-=+@a,\"\t\r\n＝＋é' ]{0,6}", 1..12),
        ) {
            let columns = columns.min(texts.len());
            let cells: Vec<Vec<String>> = texts.chunks_exact(columns).map(<[String]>::to_vec).collect();
            let sheet = sheet(cells);
            prop_assert_eq!(&read(&csv(&sheet, true)), &sheet.cells);
            let read = read(&csv(&sheet, false));
            for (text, safe) in sheet.cells.iter().flatten().zip(read.iter().flatten()) {
                prop_assert!(safe == text || safe.strip_prefix('\'') == Some(text));
                prop_assert!(!safe.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋']), "{:?}", safe);
            }
        }
    }
}
