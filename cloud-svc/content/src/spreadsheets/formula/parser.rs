//! A recursive descent parser, which refuses what this grammar does not contain:
//!
//! ```text
//! formula    = "=" expression
//! expression = operand { operator operand }
//! operand    = { "+" | "-" } primary { "%" }
//! primary    = number | text | TRUE | FALSE | "(" expression ")" | [ sheet "!" ] reference | call
//! call       = function "(" arguments ")"
//! arguments  = [ expression ] { "," [ expression ] }
//! reference  = cell [ ":" cell ] | column ":" column | row ":" row | "#REF!"
//! ```
//!
//! Signs bind tighter than every operator: `-2^2` is 4, as in other spreadsheet programs.

use shared_model::text::printable;

use super::{
    error::{FUNCTIONS, FormulaError},
    sheet_names::SheetNames,
    tree::{Area, Argument, Chain, Expression, Line, Operator, PRECEDENCE, Reference, SheetPart},
};
use crate::spreadsheets::a1::{cell::row_of, column::column_of};

// Spreadsheet programs allow 64 nested calls. The parser recurses: without a bound a formula could exhaust the stack.
const NESTING: usize = 64;
// The size of a sheet in spreadsheet programs. A reference beyond the cells of our sheet reads an empty cell there.
pub const ROWS: usize = 1_048_576;
pub const COLUMNS: usize = 16_384;
/// Stands for a reference to cells that were deleted.
pub const LOST: &str = "#REF!";

/// Time is linear in the length of the formula, and the stack is bounded by [`NESTING`].
pub fn parse(formula: &str, sheets: Option<&SheetNames>) -> Result<Expression, FormulaError> {
    let mut parser = Parser { formula, at: 0, sheets };
    parser.expect("=")?;
    let expression = parser.expression(0)?;
    if parser.rest().is_empty() { Ok(expression) } else { parser.unexpected() }
}

struct Parser<'a> {
    formula: &'a str,
    /// The byte offset of the next character.
    at: usize,
    /// The sheets to which it may refer; `None` for any.
    sheets: Option<&'a SheetNames>,
}

/// One end of a reference.
enum End {
    Cell { column: Line, row: Line },
    Column(Line),
    Row(Line),
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
            return self.fail(self.at, format!("parentheses, calls and signs are nested more than {NESTING} deep"));
        }
        Ok(depth + 1)
    }

    /// Stops at the first token that is not an operator. The caller refuses it or expects it.
    fn expression(&mut self, depth: usize) -> Result<Expression, FormulaError> {
        self.chain(&PRECEDENCE, depth)
    }

    /// Reads operands with operators between them, from the weakest of these levels on.
    fn chain(&mut self, levels: &[&[(&'static str, Operator)]], depth: usize) -> Result<Expression, FormulaError> {
        let Some((operators, stronger)) = levels.split_first() else { return self.operand(depth) };
        let first = self.chain(stronger, depth)?;
        let mut rest = Vec::new();
        while let Some((_, operator)) = operators.iter().find(|(token, _)| self.take(token)) {
            rest.push((*operator, self.chain(stronger, depth)?));
        }
        Ok(if rest.is_empty() { first } else { Expression::Chain(Chain { first: Box::new(first), rest }) })
    }

    fn operand(&mut self, mut depth: usize) -> Result<Expression, FormulaError> {
        let mut minus_signs = 0;
        self.blanks();
        while let Some(sign) = ["+", "-"].into_iter().find(|sign| self.take(sign)) {
            minus_signs += usize::from(sign == "-");
            depth = self.deeper(depth)?;
            self.blanks();
        }
        let mut operand = self.primary(depth)?;
        self.blanks();
        while self.take("%") {
            operand = Expression::Percent(Box::new(operand));
            depth = self.deeper(depth)?;
            self.blanks();
        }
        Ok((0..minus_signs).fold(operand, |operand, _| Expression::Negated(Box::new(operand))))
    }

    fn primary(&mut self, depth: usize) -> Result<Expression, FormulaError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.expression(self.deeper(depth)?)?;
                self.expect(")")?;
                Ok(inner)
            }
            Some('"') => self.quoted('"').map(Expression::Text),
            Some('\'') => {
                let start = self.at;
                let name = self.quoted('\'')?;
                self.sheet(start, name)
            }
            Some('0'..='9' | '.') => self.number_or_rows(),
            Some('$' | '#') => self.reference(None),
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
                return self.fail(start, format!("a {quote} is never closed"));
            }
            if !self.take(mark) {
                return Ok(text);
            }
            text.push(quote);
        }
    }

    fn number_or_rows(&mut self) -> Result<Expression, FormulaError> {
        let start = self.at;
        let whole = self.take_while(|c| c.is_ascii_digit());
        if !whole.is_empty() && self.peek() == Some(':') {
            self.at = start;
            // `2:4` are whole rows and no number.
            return self.reference(None);
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
        match self.formula[start..self.at].parse() {
            Ok(number) => Ok(Expression::Number(number)),
            Err(_) => self.fail(start, "a number cannot be read"),
        }
    }

    /// A call, a boolean or a reference, which all begin with a letter.
    fn word(&mut self, depth: usize) -> Result<Expression, FormulaError> {
        let start = self.at;
        let word = self.take_while(is_of_word);
        let function = FUNCTIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        match (self.peek(), function) {
            (Some('!'), _) => return self.sheet(start, word.to_owned()),
            (Some('('), Some((_, function))) => {
                let arguments = self.arguments(self.deeper(depth)?)?;
                return Ok(Expression::Call(*function, arguments));
            }
            (Some('('), None) => return self.fail(start, format!("{} is not one of the functions", shown(word))),
            _ => {}
        }
        if let Some(value) = [true, false].into_iter().find(|value| word.eq_ignore_ascii_case(&value.to_string())) {
            return Ok(Expression::Boolean(value));
        }
        // `$` may be within a reference but not within a word, so the reference is read from its start.
        self.at = start;
        self.reference(None)
    }

    fn arguments(&mut self, depth: usize) -> Result<Vec<Argument>, FormulaError> {
        let mut arguments = Vec::new();
        self.expect("(")?;
        loop {
            self.blanks();
            let is_omitted = matches!(self.peek(), Some(',' | ')'));
            arguments.push(if is_omitted { None } else { Some(self.expression(depth)?) });
            if self.take(")") {
                let is_empty = matches!(&*arguments, [None]);
                return Ok(if is_empty { Vec::new() } else { arguments });
            }
            self.expect(",")?;
        }
    }

    /// Reads `!` and the reference after the name of a sheet.
    fn sheet(&mut self, start: usize, name: String) -> Result<Expression, FormulaError> {
        let bytes = start..self.at;
        self.expect("!")?;
        if !can_be_referred_to(&name) || self.sheets.is_some_and(|sheets| !sheets.has(&name)) {
            return self.fail(start, format!("{} is not a sheet of this workbook that can be used", shown(&name)));
        }
        self.reference(Some(SheetPart { name, bytes }))
    }

    fn reference(&mut self, sheet: Option<SheetPart>) -> Result<Expression, FormulaError> {
        let start = self.at;
        let area = if self.take(LOST) { Some(Area::Lost) } else { self.area() };
        match area {
            Some(area) => Ok(Expression::Reference(Reference { sheet, area, area_bytes: start..self.at })),
            None if self.formula[start..].starts_with('#') => {
                self.at = start;
                self.unexpected()
            }
            None => {
                self.at = start;
                let word = self.take_while(|c| is_of_word(c) || c == '$' || c == ':');
                self.fail(
                    start,
                    format!("{} is not a function with its parenthesis, a boolean or a reference", shown(word)),
                )
            }
        }
    }

    fn area(&mut self) -> Option<Area> {
        let first = self.end()?;
        let last = if self.take(":") { Some(self.end()?) } else { None };
        match (first, last) {
            (End::Cell { column, row }, None) => Some(Area::Cell { column, row }),
            (End::Cell { column, row }, Some(End::Cell { column: other_column, row: other_row })) => {
                Some(Area::Cells { columns: [column, other_column], rows: [row, other_row] })
            }
            (End::Column(first), Some(End::Column(last))) => Some(Area::Columns([first, last])),
            (End::Row(first), Some(End::Row(last))) => Some(Area::Rows([first, last])),
            _ => None,
        }
    }

    /// Reads `B2`, `B` or `2`, with or without `$` before letters and digits.
    fn end(&mut self) -> Option<End> {
        let dollar_before = self.take("$");
        let letters = self.take_while(|c| c.is_ascii_alphabetic());
        let dollar_between = !letters.is_empty() && self.take("$");
        let digits = self.take_while(|c| c.is_ascii_digit());
        let column = column_of(&letters.to_ascii_uppercase()).filter(|column| *column < COLUMNS);
        let row = row_of(digits).filter(|row| *row < ROWS);
        let line = |index, is_absolute| Line { index, is_absolute };
        match (letters.is_empty(), digits.is_empty()) {
            (false, false) => Some(End::Cell { column: line(column?, dollar_before), row: line(row?, dollar_between) }),
            (false, true) if !dollar_between => Some(End::Column(line(column?, dollar_before))),
            (true, false) => Some(End::Row(line(row?, dollar_before))),
            _ => None,
        }
    }
}

/// Whether other programs understand the name in a reference as the name of a sheet of the same workbook.
pub fn can_be_referred_to(name: &str) -> bool {
    // With these characters they read another workbook or an address, even where our workbook has such a sheet.
    !name.contains(['[', ']', ':', '/', '\\', '|', '?', '*'])
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
