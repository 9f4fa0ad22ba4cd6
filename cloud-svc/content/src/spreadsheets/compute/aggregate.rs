//! Functions of many values: `SUM`, `AVERAGE`, `MIN`, `MAX`, `COUNT`.

use super::{
    number_text::number_of,
    sum::Sum,
    value::{CellError, Value},
};
use crate::spreadsheets::formula::tree::Function;

/// Where a value comes from. A text in a cell is skipped; one that is written in the formula is a mistake.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Cell,
    Formula,
}

/// Collects the values of one call.
pub struct Aggregate {
    function: Function,
    sum: Sum,
    count: u32,
    extreme: Option<f64>,
    failed: Option<CellError>,
    has_text: bool,
}

impl Aggregate {
    pub fn new(function: Function) -> Self {
        Self { function, sum: Sum::default(), count: 0, extreme: None, failed: None, has_text: false }
    }

    pub fn take(&mut self, value: &Value, source: Source) {
        match value {
            Value::Empty => {}
            Value::Blank => self.number(0.0),
            Value::Number(number) => self.number(*number),
            Value::Boolean(boolean) => self.number(f64::from(*boolean)),
            Value::Text(_) if source == Source::Cell => {}
            Value::Text(text) if self.function == Function::Count => self.count += u32::from(number_of(text).is_some()),
            Value::Text(_) => self.has_text = true,
            // An error is not a number, so `COUNT` skips it.
            Value::Error(_) if self.function == Function::Count => {}
            Value::Error(error) => {
                self.failed.get_or_insert(*error);
            }
        }
    }

    /// Takes an argument with nothing between its commas.
    pub fn take_missing(&mut self) {
        self.number(0.0);
    }

    pub fn result(self, arguments: usize) -> Value {
        use Function as F;
        if let Some(error) = self.failed {
            return Value::Error(error);
        }
        match self.function {
            // After the errors of cells, which say more.
            _ if self.has_text => Value::Error(CellError::WrongType),
            F::Count => Value::number(f64::from(self.count)),
            F::Sum => Value::number(self.sum.total()),
            F::Average if self.count == 0 => Value::Error(CellError::DivideByZero),
            F::Average => Value::number(self.sum.total() / f64::from(self.count)),
            // Without arguments there is nothing to compare; a range without numbers counts as 0.
            _ if arguments == 0 => Value::Error(CellError::WrongType),
            _ => Value::number(self.extreme.unwrap_or(0.0)),
        }
    }

    fn number(&mut self, number: f64) {
        self.count += 1;
        match self.function {
            Function::Sum | Function::Average => self.sum.add(number),
            Function::Min => self.extreme = Some(self.extreme.map_or(number, |least| least.min(number))),
            Function::Max => self.extreme = Some(self.extreme.map_or(number, |most| most.max(number))),
            _ => {}
        }
    }
}
