//! A recursive descent through a formula. What the grammar does not have is refused.
//!
//! ```text
//! formula    = "=" expression
//! expression = operand { operator operand }
//! operand    = { "+" | "-" } primary { "%" }
//! primary    = number | text | TRUE | FALSE | "(" expression ")" | [ sheet "!" ] reference | function "(" arguments ")"
//! arguments  = [ expression ] { "," [ expression ] }
//! reference  = cell [ ":" cell ] | column ":" column | row ":" row
//! ```
//!
//! Precedence does not matter to what is allowed, and so there is none.

use shared_model::text::printable;

use super::{
    error::{FUNCTIONS, FormulaError},
    sheet_names::SheetNames,
};
use crate::spreadsheets::a1::{cell::row_of, column::column_of};

/// Parentheses, calls and signs within one another at most. As many calls nest in the usual programs.
const NESTING: usize = 64;
/// The size of a sheet in the usual programs. A reference beyond the sheet's cells is to an empty cell.
const ROWS: usize = 1_048_576;
const COLUMNS: usize = 16_384;
/// Two-character operators before those that they begin with.
const OPERATORS: [&str; 12] = ["<>", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "^", "&"];

/// Checks a whole formula. The time is linear in its length and the stack bounded by [`NESTING`].
pub fn check(formula: &str, sheets: &SheetNames) -> Result<(), FormulaError> {
    let mut parser = Parser { formula, at: 0, sheets };
    parser.expect("=")?;
    parser.expression(0)?;
    if parser.rest().is_empty() { Ok(()) } else { parser.unexpected() }
}

struct Parser<'a> {
    formula: &'a str,
    /// A byte at which a character begins, or the end.
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

    /// Takes `token` if it comes next.
    fn take(&mut self, token: &str) -> bool {
        let is_next = self.rest().starts_with(token);
        if is_next {
            self.at += token.len();
        }
        is_next
    }

    /// Takes the characters that come next and are so.
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

    /// Ends before what is no operator, with blanks taken.
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

    /// What stands between two of `quote`, of which two within are one.
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

    /// A call, a boolean or a reference.
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

    /// What follows the name of a sheet. Even if there is a sheet of such a name: where other programs see another workbook or
    /// an address in it, it is refused.
    fn sheet(&mut self, start: usize, name: &str) -> Result<(), FormulaError> {
        self.expect("!")?;
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

    /// `B2`, `B` or `2`, each letter and number with or without `$`. What follows is for the caller to refuse.
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

/// Of a name of any script: a word is taken as a whole and then known or refused.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// The beginning of a piece of a formula, every character of it visible.
fn shown(text: &str) -> String {
    let begin: String = text.chars().take(40).collect();
    format!("\"{}\"", printable(&begin))
}
