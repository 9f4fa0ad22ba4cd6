//! The formulas that spreadsheet programs accept in a file. Any other makes them report a damaged file.

use std::ops::RangeInclusive;

use crate::spreadsheets::formula::{
    self,
    tree::{Chain, Expression, Function},
};

const FORMULA_CHARACTERS: usize = 8_192;
const TEXT_CHARACTERS: usize = 255;
const ARGUMENTS: usize = 255;

/// Whether programs accept `formula`, which is `written` in the file.
pub fn is_accepted(formula: &str, written: &str) -> bool {
    if written.encode_utf16().count() > FORMULA_CHARACTERS {
        return false;
    }
    match formula::parse_stored(formula) {
        Ok(tree) => accepts(&tree),
        // Another editor wrote it, before formulas were checked.
        Err(_) => true,
    }
}

// Recursive, because the parser bounds the depth of a tree.
fn accepts(expression: &Expression) -> bool {
    match expression {
        Expression::Number(number) => number.is_finite(),
        Expression::Text(text) => text.encode_utf16().count() <= TEXT_CHARACTERS,
        Expression::Boolean(_) | Expression::Reference(_) => true,
        Expression::Negated(inner) | Expression::Percent(inner) => accepts(inner),
        Expression::Chain(Chain { first, rest }) => accepts(first) && rest.iter().all(|(_, operand)| accepts(operand)),
        Expression::Call(function, arguments) => {
            counts(*function).contains(&arguments.len()) && arguments.iter().flatten().all(accepts)
        }
    }
}

/// How many arguments a function may have.
fn counts(function: Function) -> RangeInclusive<usize> {
    match function {
        Function::Sum | Function::Average | Function::Min | Function::Max | Function::Count => 1..=ARGUMENTS,
        Function::If => 2..=3,
        Function::Round => 2..=2,
        Function::Abs => 1..=1,
    }
}
