//! A recursive descent parser, which refuses what this grammar does not contain:
//!
//! ```text
//! formula    = "=" expression
//! expression = operand { operator operand }
//! operand    = { "+" | "-" } primary { "%" }
//! primary    = number | text | TRUE | FALSE | "(" expression ")" | [ sheet "!" ] reference | call
//! call       = function "(" arguments ")"
//! arguments  = [ expression ] { "," [ expression ] }
//! reference  = cell [ ":" cell ] | column ":" column | row ":" row
//! ```
//!
//! It has no precedence, because precedence does not change which formulas are allowed.

use shared_model::text::printable;

use super::{
    error::{FUNCTIONS, FormulaError},
    sheet_names::SheetNames,
};
use crate::spreadsheets::a1::{cell::row_of, column::column_of};

// Spreadsheet programs allow 64 nested calls. The parser recurses: without a bound a formula could exhaust the stack.
const NESTING: usize = 64;
// The size of a sheet in spreadsheet programs. A reference beyond the cells of our sheet reads an empty cell there.
const ROWS: usize = 1_048_576;
const COLUMNS: usize = 16_384;
// `<=` stands before `<`: the first operator that fits is taken.
const OPERATORS: [&str; 12] = ["<>", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "^", "&"];

/// Time is linear in the length of the formula, and the stack is bounded by [`NESTING`].
pub fn check(formula: &str, sheets: &SheetNames) -> Result<(), FormulaError> {
    let mut parser = Parser { formula, at: 0, sheets };
    parser.expect("=")?;
    parser.expression(0)?;
    if parser.rest().is_empty() { Ok(()) } else { parser.unexpected() }
}

struct Parser<'a> {
    formula: &'a str,
    /// The byte offset of the next character.
    at: usize,
    sheets: &'a SheetNames,
}

/// One end of a reference.
#[derive(PartialEq, Eq)]
enum End {
    Cell,
    Column,
    Row,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.formula[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, token: &str) -> bool {
        let is_next = self.rest().starts_with(token);
        if is_next {
            self.at += token.len();
        }
        is_next
    }

    /// Takes the longest run of characters that satisfy `is_so`.
    fn take_while(&mut self, is_so: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !is_so(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn blanks(&mut self) {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n'));
    }

    fn expect(&mut self, token: &str) -> Result<(), FormulaError> {
        if self.take(token) { Ok(()) } else { self.unexpected() }
    }

    fn fail<T>(&self, at: usize, what: impl Into<String>) -> Result<T, FormulaError> {
        Err(FormulaError { character: self.formula[..at].chars().count() + 1, what: what.into() })
    }

    fn unexpected<T>(&self) -> Result<T, FormulaError> {
        match self.peek() {
            Some(c) => self.fail(self.at, format!("{} is not expected", shown(&c.to_string()))),
            None => self.fail(self.at, "it ends too early"),
        }
    }

    fn deeper(&self, depth: usize) -> Result<usize, FormulaError> {
        if depth == NESTING {
            return self
                .fail(self.at, format!("more than {NESTING} parentheses, calls and signs are within one another"));
        }
        Ok(depth + 1)
    }

    /// Stops at the first token that is not an operator. The caller refuses it or expects it.
    fn expression(&mut self, depth: usize) -> Result<(), FormulaError> {
        loop {
            self.operand(depth)?;
            self.blanks();
            if !OPERATORS.iter().any(|operator| self.take(operator)) {
                return Ok(());
            }
        }
    }

    fn operand(&mut self, mut depth: usize) -> Result<(), FormulaError> {
        self.blanks();
        while self.take("+") || self.take("-") {
            depth = self.deeper(depth)?;
            self.blanks();
        }
        self.primary(depth)?;
        self.blanks();
        while self.take("%") {
            depth = self.deeper(depth)?;
            self.blanks();
        }
        Ok(())
    }

    fn primary(&mut self, depth: usize) -> Result<(), FormulaError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.expression(self.deeper(depth)?)?;
                self.expect(")")
            }
            Some('"') => self.quoted('"').map(|_| ()),
            Some('\'') => {
                let start = self.at;
                let name = self.quoted('\'')?;
                self.sheet(start, &name)
            }
            Some('0'..='9' | '.') => self.number_or_rows(),
            Some('$') => self.reference(),
            Some(c) if is_of_word(c) => self.word(depth),
            _ => self.unexpected(),
        }
    }

    /// The text between two quotation marks; a doubled mark stands for one.
    fn quoted(&mut self, quote: char) -> Result<String, FormulaError> {
        let start = self.at;
        let mark = &*quote.to_string();
        let mut text = String::new();
        self.expect(mark)?;
        loop {
            text.push_str(self.take_while(|c| c != quote));
            if !self.take(mark) {
                return self.fail(start, format!("a {quote} has no other that ends it"));
            }
            if !self.take(mark) {
                return Ok(text);
            }
            text.push(quote);
        }
    }

    fn number_or_rows(&mut self) -> Result<(), FormulaError> {
        let start = self.at;
        let whole = self.take_while(|c| c.is_ascii_digit());
        if !whole.is_empty() && self.peek() == Some(':') {
            self.at = start;
            // `2:4` are whole rows and no number.
            return self.reference();
        }
        let fraction = if self.take(".") { self.take_while(|c| c.is_ascii_digit()) } else { "" };
        if whole.is_empty() && fraction.is_empty() {
            return self.fail(start, "a number has no digits");
        }
        if self.take("e") || self.take("E") {
            let _ = self.take("+") || self.take("-");
            if self.take_while(|c| c.is_ascii_digit()).is_empty() {
                return self.fail(start, "a number has an exponent without digits");
            }
        }
        Ok(())
    }

    /// A call, a boolean or a reference, which all begin with a letter.
    fn word(&mut self, depth: usize) -> Result<(), FormulaError> {
        let start = self.at;
        let word = self.take_while(is_of_word);
        let is_function = FUNCTIONS.iter().any(|function| function.eq_ignore_ascii_case(word));
        match self.peek() {
            Some('!') => return self.sheet(start, word),
            Some('(') if is_function => return self.arguments(self.deeper(depth)?),
            Some('(') => return self.fail(start, format!("{} is not one of the functions", shown(word))),
            _ => {}
        }
        if word.eq_ignore_ascii_case("TRUE") || word.eq_ignore_ascii_case("FALSE") {
            return Ok(());
        }
        // `$` may stand within a reference but not within a word, so the reference is read from its start.
        self.at = start;
        self.reference()
    }

    fn arguments(&mut self, depth: usize) -> Result<(), FormulaError> {
        self.expect("(")?;
        loop {
            self.blanks();
            if !matches!(self.peek(), Some(',' | ')')) {
                self.expression(depth)?;
            }
            if self.take(")") {
                return Ok(());
            }
            self.expect(",")?;
        }
    }

    /// Reads `!` and the reference after the name of a sheet.
    fn sheet(&mut self, start: usize, name: &str) -> Result<(), FormulaError> {
        self.expect("!")?;
        // Other programs read such a name as another workbook or an address, even where our workbook has such a sheet.
        if name.contains(['[', ']', ':', '/', '\\', '|', '?', '*']) || !self.sheets.has(name) {
            return self.fail(start, format!("{} is no sheet of this workbook that can be referred to", shown(name)));
        }
        self.reference()
    }

    fn reference(&mut self) -> Result<(), FormulaError> {
        let start = self.at;
        let first = self.end();
        let is_range = first.is_some() && self.take(":");
        let last = if is_range { self.end() } else { None };
        match (first, is_range, last) {
            (Some(End::Cell), false, _) => Ok(()),
            (Some(first), true, Some(last)) if first == last => Ok(()),
            _ => {
                self.at = start;
                let word = self.take_while(|c| is_of_word(c) || c == '$' || c == ':');
                self.fail(
                    start,
                    format!("{} is no function with its parenthesis, no boolean and no reference", shown(word)),
                )
            }
        }
    }

    /// Reads `B2`, `B` or `2`, with or without `$` before letters and digits.
    fn end(&mut self) -> Option<End> {
        self.take("$");
        let letters = self.take_while(|c| c.is_ascii_alphabetic());
        let dollar_between = !letters.is_empty() && self.take("$");
        let digits = self.take_while(|c| c.is_ascii_digit());
        let is_column = column_of(&letters.to_ascii_uppercase()).is_some_and(|column| column < COLUMNS);
        let is_row = row_of(digits).is_some_and(|row| row < ROWS);
        match (letters.is_empty(), digits.is_empty()) {
            (false, false) if is_column && is_row => Some(End::Cell),
            (false, true) if is_column && !dollar_between => Some(End::Column),
            (true, false) if is_row => Some(End::Row),
            _ => None,
        }
    }
}

// Letters of every script: the message then shows the whole unknown word.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

// Texts of callers go into error messages: they are cut, and invisible characters are escaped.
fn shown(text: &str) -> String {
    let begin: String = text.chars().take(40).collect();
    format!("\"{}\"", printable(&begin))
}
