//! The value of a cell.

use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of a cell without text.
    Empty,
    /// Of a formula that only refers to an empty cell. It is shown as 0 and equals both 0 and the empty text.
    Blank,
    /// Finite.
    Number(f64),
    Boolean(bool),
    Text(Rc<str>),
    Error(CellError),
}

shared_model::text_enum! {
    /// Why a formula has no value.
    pub enum CellError {
        /// A division by zero, or an average of nothing.
        DivideByZero = "#DIV/0!",
        /// An operand of the wrong type, such as a text that is not a number.
        WrongType = "#VALUE!",
        /// The cells were deleted.
        LostReference = "#REF!",
        /// A number that is too large, or that is not real.
        NotANumber = "#NUM!",
        /// The formula depends on its own value.
        Cycle = "#CYCLE!",
        /// The formula is not one that cells may have.
        Unreadable = "#NAME?",
    }
}

impl Value {
    /// Finite numbers only: there is no infinity in a cell.
    pub fn number(number: f64) -> Self {
        // Adding 0 turns -0 into 0, so that nobody is shown a signed zero.
        if number.is_finite() { Self::Number(number + 0.0) } else { Self::Error(CellError::NotANumber) }
    }

    pub fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(text.into())
    }
}

impl From<Result<f64, CellError>> for Value {
    fn from(result: Result<f64, CellError>) -> Self {
        result.map_or_else(Self::Error, Self::number)
    }
}
