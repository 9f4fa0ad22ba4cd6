//! The values that formulas had in the file, compared with those that they have here.

// Dates are texts here, and a boolean in a range is a number: the same formula can have another value.

use calamine::DataRef;

use super::cell_text;
use crate::{
    lost::Losses,
    spreadsheets::{
        a1::cell::Cell,
        compute::{Value, Workbook},
        content::SpreadsheetContent,
    },
};

// Each formula of a chain takes memory until the last one is calculated. With these, no import takes too much.
const FORMULAS: usize = 40_000;
const FORMULA_BYTES: usize = 300_000;
const TEXT_BYTES: usize = 1_000_000;
// Bounds the time that an import spends on the comparison.
const VISITS: usize = 2_000_000;

/// How far two values of one calculation may be apart. Programs store 15 digits, and add in different orders.
const RELATIVE: f64 = 1e-12;
/// The difference that rounding may leave where the true result is zero.
const ABSOLUTE: f64 = 1e-9;

pub struct LastValues {
    values: Vec<LastValue>,
    most_formulas: usize,
    formulas: usize,
    formula_bytes: usize,
    text_bytes: usize,
}

struct LastValue {
    sheet: usize,
    cell: Cell,
    value: DataRef<'static>,
}

impl Default for LastValues {
    fn default() -> Self {
        Self { values: Vec::new(), most_formulas: FORMULAS, formulas: 0, formula_bytes: 0, text_bytes: 0 }
    }
}

impl LastValues {
    /// Notes the value that a formula had. It is kept if it can be compared.
    pub fn note(&mut self, sheet: usize, cell: Cell, formula: &str, value: &DataRef<'_>) {
        self.formulas += 1;
        self.formula_bytes += formula.len();
        let value = match value {
            DataRef::Float(number) => DataRef::Float(*number),
            DataRef::DateTime(moment) => DataRef::DateTime(*moment),
            DataRef::Bool(boolean) => DataRef::Bool(*boolean),
            DataRef::Error(error) => DataRef::Error(error.clone()),
            // An empty text may be a value that the program could not write.
            DataRef::String(text) if !text.is_empty() => self.text(text),
            DataRef::SharedString(text) if !text.is_empty() => self.text(text),
            _ => return,
        };
        if !self.are_too_many() {
            self.values.push(LastValue { sheet, cell, value });
        }
    }

    fn text(&mut self, text: &str) -> DataRef<'static> {
        self.text_bytes += text.len();
        DataRef::String(text.to_owned())
    }

    fn are_too_many(&self) -> bool {
        self.formulas > self.most_formulas || self.formula_bytes > FORMULA_BYTES || self.text_bytes > TEXT_BYTES
    }

    /// Notes the formulas that have other values in this content. Formulas that take too long are not compared.
    pub fn compare(&self, content: &SpreadsheetContent, losses: &mut Losses) {
        if self.are_too_many() || self.values.is_empty() {
            return;
        }
        let mut workbook = Workbook::bounded(content, VISITS);
        for LastValue { sheet, cell, value } in &self.values {
            let Ok(here) = workbook.value(*sheet, *cell) else { return };
            let file = cell_text::text(value, None).unwrap_or_default();
            if !is_same(value, &file, &here) {
                losses.value(format!("{}!{cell}", content.sheets[*sheet].name), &file, &here.shown());
            }
        }
    }
}

/// Whether both values look the same to a person. `text` shows the value in the file.
fn is_same(file: &DataRef<'_>, text: &str, here: &Value) -> bool {
    match (number_there(file), number_here(here)) {
        (Some(one), Some(other)) => (one - other).abs() <= ABSOLUTE + RELATIVE * one.abs().max(other.abs()),
        // A date is a text here, and reads the same.
        _ => text == here.shown(),
    }
}

// Programs may write a boolean as 0 or 1.
fn number_there(value: &DataRef<'_>) -> Option<f64> {
    match value {
        DataRef::Float(number) => Some(*number),
        DataRef::DateTime(moment) => Some(moment.as_f64()),
        DataRef::Bool(boolean) => Some(f64::from(*boolean)),
        _ => None,
    }
}

fn number_here(value: &Value) -> Option<f64> {
    match value {
        Value::Blank => Some(0.0),
        Value::Number(number) => Some(*number),
        Value::Boolean(boolean) => Some(f64::from(*boolean)),
        Value::Empty | Value::Text(_) | Value::Error(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn formulas_that_would_take_much_memory_are_not_compared() {
        let compared = |count: usize| {
            let sheet = json!({"name": "Budget", "cells": [vec!["=1"; count]]});
            let content = json!({"kind": "sheets", "sheets": [sheet]});
            let content: SpreadsheetContent = serde_json::from_value(content).expect("a spreadsheet");
            let mut last = LastValues { most_formulas: 10, ..LastValues::default() };
            for column in 0..count {
                last.note(0, Cell { row: 0, column }, "=1", &DataRef::Float(2.0));
            }
            let mut losses = Losses::default();
            last.compare(&content, &mut losses);
            losses.warnings().len()
        };
        assert_eq!((compared(10), compared(11)), (1, 0));
    }
}
