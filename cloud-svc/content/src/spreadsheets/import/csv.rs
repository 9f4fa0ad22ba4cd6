//! Reads values that commas, semicolons or tabs separate into a sheet.

use csv::{ReaderBuilder, StringRecord, Terminator};

use super::cells::Cells;
use crate::spreadsheets::content::sheet::Sheet;

/// The name of the sheet; CSV has none.
const SHEET: &str = "Sheet1";

/// Reads values as in RFC 4180, also with the separators of programs in countries with decimal commas.
// A `'` before a formula stays: it may come from an export or from a person.
pub fn read(text: &str) -> Result<Sheet, String> {
    // Cells have only `\n`. With one kind of line end, the lines can be counted.
    let text = text.replace("\r\n", "\n").replace('\r', "\n") + "\n";
    let separator = separator(&text);
    check_quotation_marks(&text, separator)?;
    let mut lines = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
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

/// The most frequent separator of the first line with text. If the next line with text lacks it, the first line is a
/// title, and the next line decides. If that line has no separator, it is the comma.
// Spreadsheet programs write semicolons where the comma is the decimal sign.
pub fn separator(text: &str) -> u8 {
    let text = text.trim_start_matches(['\r', '\n']);
    let (Some(first), end) = most_frequent(text) else { return b',' };
    let next = text.get(end..).unwrap_or_default().lines().find(|line| !line.trim().is_empty());
    match next.filter(|line| !line.as_bytes().contains(&first)) {
        Some(next) => most_frequent(next).0.unwrap_or(b','),
        None => first,
    }
}

/// The comma, semicolon or tab that the first line has most often, and the bytes of the line. In a tie it is the first
/// of these. A comma between digits does not count.
fn most_frequent(text: &str) -> (Option<u8>, usize) {
    const SEPARATORS: &[u8] = b",;\t";
    let mut counts = [0; SEPARATORS.len()];
    let (mut is_quoted, mut before) = (false, b'\n');
    let (mut bytes, mut end) = (text.bytes().peekable(), 0);
    while let Some(byte) = bytes.next() {
        end += 1;
        let is_decimal = byte == b',' && before.is_ascii_digit() && bytes.peek().is_some_and(u8::is_ascii_digit);
        let separator = SEPARATORS.iter().position(|separator| *separator == byte).filter(|_| !is_decimal);
        match (byte, separator) {
            (b'"', _) if is_quoted => is_quoted = false,
            // At the beginning of a cell, or after the mark that a second one makes a part of the text.
            (b'"', _) if SEPARATORS.contains(&before) || matches!(before, b'\n' | b'"') => is_quoted = true,
            (b'"', _) => {
                // Text of a plain cell, and so is the next one.
                before = b' ';
                continue;
            }
            _ if is_quoted => {}
            (b'\n', _) => break,
            (_, Some(separator)) => counts[separator] += 1,
            _ => {}
        }
        before = byte;
    }
    let most = counts.iter().max().filter(|most| **most > 0);
    let found = most.and_then(|most| counts.iter().position(|count| count == most));
    (found.map(|found| SEPARATORS[found]), end)
}

/// The CSV reader accepts all marks. One that is never closed would make the rest of the file one cell.
fn check_quotation_marks(text: &str, separator: u8) -> Result<(), String> {
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
            (_, char) if char == '\n' || char == char::from(separator) => Within::Start,
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
    fn the_most_frequent_separator_of_the_first_line_is_used() {
        assert_eq!(cells("Name;Betrag\nMiete;1.200,50\n"), [["Name", "Betrag"], ["Miete", "1.200,50"]]);
        assert_eq!(cells("\n\"a,b\"\"\";c\n\"d;e\";f"), [["", ""], ["a,b\"", "c"], ["d;e", "f"]]);
        assert_eq!(cells("a\tb\nc;d\t\"e,f\""), [["a", "b"], ["c;d", "e,f"]]);
        assert_eq!(cells("a;b,c"), [["a;b", "c"]]);
        assert_eq!(cells("1,50;2,50\n3;4"), [["1,50", "2,50"], ["3", "4"]]);
        assert_eq!(cells("1,2,3"), [["1", "2", "3"]]);
        assert_eq!(cells("Report; November\na,b"), [["Report; November", ""], ["a", "b"]]);
        assert_eq!(cells("Miete;1.200,50"), [["Miete", "1.200,50"]]);
        assert_eq!(cells("a,b;c,d"), [["a", "b;c", "d"]]);
        assert_eq!(cells("5\"\" pipe;3\na;1,5"), [["5\"\" pipe", "3"], ["a", "1,5"]]);
        assert_eq!(cells("a;b\tc"), [["a", "b\tc"]]);
        assert_eq!(cells("\"a;b\"\nc;d"), [["a;b"], ["c;d"]]);
        assert_eq!(cells("5\" pipe;3\" pipe"), [["5\" pipe", "3\" pipe"]]);
        let refused = read("a;b\n\"c\"d;e").expect_err("refused");
        assert_eq!(refused, "must be CSV: line 2 has text after a closing quotation mark");
    }

    #[test]
    fn the_line_after_a_title_tells_the_separator() {
        let rows = [["Budget, 2026", ""], ["", ""], ["Item", "Cost"], ["Rent", "900,50"]];
        assert_eq!(cells("Budget, 2026\n\nItem;Cost\nRent;900,50"), rows);
        assert_eq!(cells("Budget; plan, all\nItem\tCost"), [["Budget; plan, all", ""], ["Item", "Cost"]]);
        assert_eq!(cells("Report; November\n1,50"), [["Report; November", ""], ["1", "50"]]);
        assert_eq!(cells("Budget, 2026\nItem"), [["Budget", " 2026"], ["Item", ""]]);
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
