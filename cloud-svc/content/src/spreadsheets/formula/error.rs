//! Why a formula is refused.

use std::fmt;

/// The functions that a formula may call.
pub const FUNCTIONS: [&str; 8] = ["SUM", "AVERAGE", "MIN", "MAX", "COUNT", "IF", "ROUND", "ABS"];

/// Why a formula is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// At which of its characters, from 1; the first is the `=`.
    pub character: usize,
    /// What is wrong there.
    pub what: String,
}

/// The rule that it breaks.
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
