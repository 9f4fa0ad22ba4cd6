//! Functions of single values: `ROUND`, `ABS`.

use super::{
    arithmetic, operators,
    value::{CellError, Value},
};
use crate::spreadsheets::formula::tree::Function;

pub fn call(function: Function, arguments: &[Value]) -> Value {
    let result = match (function, arguments) {
        (Function::Abs, [of]) => operators::number(of).map(f64::abs),
        (Function::Round, [of]) => operators::number(of).map(|of| arithmetic::round(of, 0)),
        (Function::Round, [of, digits]) => round(of, digits),
        _ => Err(CellError::WrongType),
    };
    result.into()
}

fn round(of: &Value, digits: &Value) -> Result<f64, CellError> {
    let (of, digits) = (operators::number(of)?, operators::number(digits)?);
    let whole = if digits < 0.0 { -arithmetic::floor(-digits) } else { arithmetic::floor(digits) };
    if !(f64::from(i16::MIN)..=f64::from(i16::MAX)).contains(&whole) {
        return Err(CellError::WrongType);
    }
    #[expect(clippy::cast_possible_truncation, reason = "within the range of i16")]
    Ok(arithmetic::round(of, whole as i16))
}
