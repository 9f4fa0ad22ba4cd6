//! The refusal of a formula.

use std::fmt;

use super::tree::Function;

// None of them reads a file, an address or the clock, or runs code: opening the workbook elsewhere is harmless.
pub const FUNCTIONS: [(&str, Function); 8] = [
    ("SUM", Function::Sum),
    ("AVERAGE", Function::Average),
    ("MIN", Function::Min),
    ("MAX", Function::Max),
    ("COUNT", Function::Count),
    ("IF", Function::If),
    ("ROUND", Function::Round),
    ("ABS", Function::Abs),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// The position of the character, from 1 (the `=`).
    pub character: usize,
    /// What is wrong at that character.
    pub what: String,
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { character, what } = self;
        write!(
            f,
            "must be a formula of operators, literals, references to cells of this workbook and the functions {}: at \
             character {character}, {what}",
            FUNCTIONS.map(|(name, _)| name).join(", ")
        )
    }
}
