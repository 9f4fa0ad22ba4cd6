//! Reads comma-separated values into a sheet.

use csv::{ReaderBuilder, StringRecord, Terminator};

use super::cells::Cells;
use crate::spreadsheets::content::sheet::Sheet;

/// The name of the sheet; CSV has none.
const SHEET: &str = "Sheet1";

/// Reads values as in RFC 4180.
// A `'` before a formula stays: it may come from an export or from a person.
pub fn read(text: &str) -> Result<Sheet, String> {
    // Cells have only `\n`. With one kind of line end, the lines can be counted.
    let text = text.replace("\r\n", "\n").replace('\r', "\n") + "\n";
    check_quotation_marks(&text)?;
    let mut lines = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .terminator(Terminator::Any(b'\n'))
        .from_reader(text.as_bytes());
    let (mut cells, mut record) = (Cells::default(), StringRecord::new());
    let (mut row, mut line) = (0, lines.position().line());
    while lines.read_record(&mut record).map_err(|error| format!("must be CSV: {error}"))? {
        // The CSV reader skips empty lines, but they are rows: formulas refer to rows by number.
        let within: usize = record.iter().map(|cell| cell.matches('\n').count()).sum();
        let next = lines.position().line();
        let lines_read = usize::try_from(next - line).unwrap_or(usize::MAX);
        row += lines_read.saturating_sub(within + 1);
        line = next;
        for (column, cell) in record.iter().enumerate() {
            cells.set(row, column, cell.to_owned())?;
        }
        row += 1;
    }
    Ok(cells.sheet(SHEET.to_owned()))
}

/// The CSV reader accepts all marks. One that is never closed would make the rest of the file one cell.
fn check_quotation_marks(text: &str) -> Result<(), String> {
    enum Within {
        Start,
        Plain,
        /// Since this line.
        Quoted(usize),
        AfterMark(usize),
    }
    let (mut within, mut line) = (Within::Start, 1);
    for char in text.chars() {
        within = match (within, char) {
            (Within::Start, '"') => Within::Quoted(line),
            (Within::Quoted(since), '"') => Within::AfterMark(since),
            (Within::AfterMark(since), '"') => Within::Quoted(since),
            (Within::Quoted(since), _) => Within::Quoted(since),
            (_, ',' | '\n') => Within::Start,
            (Within::AfterMark(_), _) => {
                return Err(format!("must be CSV: line {line} has text after a closing quotation mark"));
            }
            (Within::Start | Within::Plain, _) => Within::Plain,
        };
        line += usize::from(char == '\n');
    }
    match within {
        Within::Quoted(since) => Err(format!("must be CSV: the quotation mark on line {since} is never closed")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Vec<String>> {
        read(text).expect("read").cells
    }

    #[test]
    fn rows_are_padded_and_empty_lines_are_rows() {
        assert_eq!(cells("a,b\r\n\r\n\r\nc\r\n"), [["a", "b"], ["", ""], ["", ""], ["c", ""]]);
        assert_eq!(cells("\n\n1,2,3"), [["", "", ""], ["", "", ""], ["1", "2", "3"]]);
        assert_eq!(cells(""), [[""]]);
        assert_eq!(cells("\n\n\n"), [[""]]);
    }

    #[test]
    fn quotation_marks_protect_commas_marks_and_line_ends() {
        assert_eq!(cells("\"a,\"\"b\"\"\r\n\rc\",d\n\ne\n"), [["a,\"b\"\n\nc", "d"], ["", ""], ["e", ""]]);
        assert_eq!(cells("\"\"\n\"\"\nx"), [[""], [""], ["x"]]);
    }

    #[test]
    fn quotation_marks_that_would_move_text_into_other_cells_are_refused() {
        let refused = |text| read(text).expect_err("refused");
        assert_eq!(
            refused("id,name\n1,\"Anna,100\n2,Ben\n"),
            "must be CSV: the quotation mark on line 2 is never closed"
        );
        assert!(refused("x,\"").contains("line 1 is never closed"));
        assert!(refused("\"a\nb\",\"c\"\"\n\n").contains("line 2 is never closed"));
        assert_eq!(refused("a\n\"b\"x,c"), "must be CSV: line 2 has text after a closing quotation mark");
        assert_eq!(cells("5\" pipe,\"\"\"\"\n\"\",\"b\""), [["5\" pipe", "\""], ["", "b"]]);
    }

    #[test]
    fn an_apostrophe_stays() {
        assert_eq!(cells("'=1+1,'-1,'"), [["'=1+1", "'-1", "'"]]);
    }

    #[test]
    fn what_no_sheet_reaches_is_refused() {
        assert_eq!(cells(&"x\n".repeat(2000)).len(), 2000);
        for text in ["x\n".repeat(2001), ",".repeat(64), format!("{}x", "\n".repeat(2000))] {
            assert!(read(&text).expect_err("refused").contains("2000 rows and 64 columns"));
        }
    }
}
