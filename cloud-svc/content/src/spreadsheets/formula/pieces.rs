//! A formula in pieces, for changes that must not touch quoted text.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// A text literal with its quotation marks.
    Text(&'a str),
    /// The name of a sheet as it is written, with quotes if it has them and without the `!`.
    Sheet(&'a str),
    /// Everything else: operators, references, functions, the `!` after a sheet.
    Code(&'a str),
}

/// Splits a formula. The pieces together are the formula, whether it is allowed or not.
pub fn pieces(formula: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut rest, mut code) = (formula, 0);
    while let Some(c) = rest[code..].chars().next() {
        let at = &rest[code..];
        let (end, is_text) = match c {
            '"' => (quoted(at, '"'), true),
            '\'' => (quoted(at, '\''), false),
            _ if is_of_name(c) => (at.find(|c| !is_of_name(c)).unwrap_or(at.len()), false),
            _ => (c.len_utf8(), false),
        };
        let is_sheet = !is_text && (c == '\'' || is_of_name(c)) && at[end..].starts_with('!');
        if !is_text && !is_sheet {
            code += end;
            continue;
        }
        if code > 0 {
            pieces.push(Piece::Code(&rest[..code]));
        }
        pieces.push(if is_text { Piece::Text(&at[..end]) } else { Piece::Sheet(&at[..end]) });
        rest = &at[end..];
        code = 0;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Code(rest));
    }
    pieces
}

/// The name of a sheet without its quotes.
pub fn unquoted(sheet: &str) -> String {
    match sheet.strip_prefix('\'').and_then(|sheet| sheet.strip_suffix('\'')) {
        Some(quoted) => quoted.replace("''", "'"),
        None => sheet.to_owned(),
    }
}

/// The length of a quoted text at the start; a doubled quote does not end it.
fn quoted(text: &str, quote: char) -> usize {
    let mut at = 1;
    while let Some(end) = text[at..].find(quote) {
        at += end + 1;
        if !text[at..].starts_with(quote) {
            return at;
        }
        at += 1;
    }
    text.len()
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Piece::*, *};

    #[test]
    fn texts_and_sheets_are_told_from_the_rest() {
        assert_eq!(
            pieces("=Q1!A1&\"Q1!A1 \"\"x\"\"\"+'It''s A1'!$B$2"),
            [
                Code("="),
                Sheet("Q1"),
                Code("!A1&"),
                Text("\"Q1!A1 \"\"x\"\"\""),
                Code("+"),
                Sheet("'It''s A1'"),
                Code("!$B$2"),
            ]
        );
        assert_eq!(pieces("=SUM(A1:B2)"), [Code("=SUM(A1:B2)")]);
        assert_eq!(pieces("=Q_1.b!A1"), [Code("="), Sheet("Q_1.b"), Code("!A1")]);
        assert_eq!(pieces("\"a\"'S'!A1"), [Text("\"a\""), Sheet("'S'"), Code("!A1")]);
        assert_eq!(unquoted("'It''s A1'"), "It's A1");
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_formula(formula in "[=A1!'\"é. (]{0,20}") {
            let joined: String = pieces(&formula).iter().map(|(Text(text) | Sheet(text) | Code(text))| *text).collect();
            prop_assert_eq!(joined, formula);
        }
    }
}
