//! Operators on values.

use std::cmp::Ordering;

use super::{
    arithmetic, compare,
    number_text::{number_of, text_of},
    value::{CellError, Value},
};
use crate::spreadsheets::formula::tree::Operator;

// As many as a cell can have. A chain of formulas that each double a text would otherwise fill the memory.
const TEXT_CHARACTERS: usize = 10_000;

pub fn number(value: &Value) -> Result<f64, CellError> {
    match value {
        Value::Empty | Value::Blank => Ok(0.0),
        Value::Number(number) => Ok(*number),
        Value::Boolean(boolean) => Ok(f64::from(*boolean)),
        Value::Text(text) => number_of(text).ok_or(CellError::WrongType),
        Value::Error(error) => Err(*error),
    }
}

pub fn text(value: &Value) -> Result<String, CellError> {
    match value {
        Value::Empty => Ok(String::new()),
        Value::Blank => Ok("0".to_owned()),
        Value::Number(number) => Ok(text_of(*number)),
        // Calc joins the number that a boolean is.
        Value::Boolean(boolean) => Ok(u8::from(*boolean).to_string()),
        Value::Text(text) => Ok(text.to_string()),
        Value::Error(error) => Err(*error),
    }
}

pub fn negate(value: &Value) -> Value {
    number(value).map(|number| -number).into()
}

pub fn percent(value: &Value) -> Value {
    number(value).map(|number| number / 100.0).into()
}

pub fn apply(operator: Operator, one: &Value, other: &Value) -> Value {
    use Operator as O;
    match operator {
        O::Add => arithmetic(one, other, |one, other| Ok(arithmetic::add(one, other))),
        O::Subtract => arithmetic(one, other, |one, other| Ok(arithmetic::add(one, -other))),
        O::Multiply => arithmetic(one, other, |one, other| Ok(one * other)),
        O::Divide => arithmetic(one, other, arithmetic::divide),
        O::Power => arithmetic(one, other, arithmetic::power),
        O::Join => join(one, other).unwrap_or_else(Value::Error),
        O::Equal => order(one, other, Ordering::is_eq),
        O::NotEqual => order(one, other, Ordering::is_ne),
        O::Less => order(one, other, Ordering::is_lt),
        O::LessOrEqual => order(one, other, Ordering::is_le),
        O::Greater => order(one, other, Ordering::is_gt),
        O::GreaterOrEqual => order(one, other, Ordering::is_ge),
    }
}

fn arithmetic(one: &Value, other: &Value, of: impl Fn(f64, f64) -> Result<f64, CellError>) -> Value {
    number(one).and_then(|one| of(one, number(other)?)).into()
}

fn join(one: &Value, other: &Value) -> Result<Value, CellError> {
    // The second first: Calc shows its error if both have one.
    let other = text(other)?;
    let joined = text(one)? + &other;
    if joined.chars().count() > TEXT_CHARACTERS { Err(CellError::WrongType) } else { Ok(Value::text(joined)) }
}

fn order(one: &Value, other: &Value, is_so: fn(Ordering) -> bool) -> Value {
    compare::compare(one, other).map_or_else(Value::Error, |order| Value::Boolean(is_so(order)))
}
