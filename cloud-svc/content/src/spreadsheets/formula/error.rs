//! The refusal of a formula.

use std::fmt;

// None of them reads a file, an address or the clock, or runs code: opening the workbook elsewhere is harmless.
pub const FUNCTIONS: [&str; 8] = ["SUM", "AVERAGE", "MIN", "MAX", "COUNT", "IF", "ROUND", "ABS"];

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
            FUNCTIONS.join(", ")
        )
    }
}
