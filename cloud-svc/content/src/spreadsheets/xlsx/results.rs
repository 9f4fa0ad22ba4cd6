//! The values of formulas, for programs that show a workbook and do not calculate it.

use crate::{
    limits::RESPONSE_BYTES,
    spreadsheets::{
        a1::cell::Cell,
        compute::{CellError, Value, Workbook},
        content::SpreadsheetContent,
    },
};

/// The most characters of a cell in spreadsheet programs.
const TEXT_CHARACTERS: usize = 32_767;

pub struct Results<'a> {
    /// `None` after the work that is allowed.
    workbook: Option<Workbook<'a>>,
    /// Of texts: formulas can repeat a long one.
    bytes_left: usize,
}

impl<'a> Results<'a> {
    pub fn of(content: &'a SpreadsheetContent) -> Self {
        Self { workbook: Some(Workbook::new(content)), bytes_left: RESPONSE_BYTES }
    }

    /// The value as the library takes it; empty where it could not be told from another, or is none in other programs.
    pub fn of_cell(&mut self, sheet: usize, cell: Cell) -> String {
        let Some(workbook) = &mut self.workbook else { return String::new() };
        let Ok(value) = workbook.value(sheet, cell) else {
            self.workbook = None;
            return String::new();
        };
        let result = result(&value);
        let bytes = if matches!(value, Value::Text(_)) { result.len() } else { 0 };
        match self.bytes_left.checked_sub(bytes) {
            Some(left) => {
                self.bytes_left = left;
                result
            }
            None => String::new(),
        }
    }
}

fn result(value: &Value) -> String {
    match value {
        Value::Blank => "0".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Boolean(true) => "TRUE".to_owned(),
        Value::Boolean(false) => "FALSE".to_owned(),
        Value::Text(text) if is_seen_as_text(text) => escaped(text),
        Value::Error(error) if *error != CellError::Cycle => error.as_str().to_owned(),
        Value::Empty | Value::Text(_) | Value::Error(_) => String::new(),
    }
}

// The library writes text that looks like a number as a number, and spaces at its ends are lost.
fn is_seen_as_text(text: &str) -> bool {
    text.parse::<f64>().is_err()
        && !matches!(text, "TRUE" | "FALSE")
        && !text.starts_with('#')
        && text.trim() == text
        && !text.contains(|c: char| c.is_control())
        && text.encode_utf16().count() <= TEXT_CHARACTERS
}

/// `_x000D_` is a character for the readers of a workbook (ECMA-376 part 1, §22.9.2.19). The library escapes it in
/// texts, and not in results.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let code = &rest.as_bytes()[at + 2..];
        let is_escape = code.len() > 4 && code[..4].iter().all(u8::is_ascii_hexdigit) && code[4] == b'_';
        out.push_str(&rest[..at]);
        out.push_str(if is_escape { "_x005F_x" } else { "_x" });
        rest = &rest[at + 2..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spreadsheets::{content::sheet::Sheet, import::cells::of_sheet};

    #[test]
    fn texts_that_formulas_repeat_have_a_bound() {
        let mut cells = vec![vec!["x".repeat(10_000)]];
        cells.extend((0..500).map(|_| vec!["=A$1".to_owned()]));
        cells.push(vec!["=1+1".to_owned()]);
        let content = of_sheet(Sheet { name: "S".to_owned(), cells });
        let mut results = Results::of(&content);
        let all: Vec<String> = (1..502).map(|row| results.of_cell(0, Cell { row, column: 0 })).collect();
        assert_eq!(all.iter().filter(|text| text.len() == 10_000).count(), RESPONSE_BYTES / 10_000);
        assert_eq!(all.last().map(String::as_str), Some("2"));
    }

    #[test]
    fn a_result_is_never_taken_for_another() {
        for text in ["12", "1e3", "nan", "inf", "TRUE", "#REF!", " a", "a\n", "a\u{1b}b"] {
            assert_eq!(result(&Value::text(text)), "", "{text:?}");
        }
        assert_eq!(result(&Value::text("a <b>")), "a <b>");
        assert_eq!(result(&Value::text("a_x000D_x0041_b_x00_")), "a_x005F_x000D_x005F_x0041_b_x00_");
        assert_eq!(result(&Value::text("_x0041__x0042_")), "_x005F_x0041__x005F_x0042_");
        assert_eq!(result(&Value::Number(0.1)), "0.1");
        assert_eq!(result(&Value::Error(CellError::DivideByZero)), "#DIV/0!");
        assert_eq!(result(&Value::Error(CellError::Cycle)), "");
    }
}
