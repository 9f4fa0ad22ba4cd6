//! Calculates the cells of a workbook that somebody asks for, each once.

use std::collections::HashMap;

use shared_model::Error;

use super::{
    area::Place,
    code,
    code::{Instruction, Operand},
    frame::Frame,
    operators,
    value::{CellError, Value},
};
use crate::{
    codes,
    name_key::name_key,
    spreadsheets::{
        a1::cell::Cell,
        content::{SpreadsheetContent, sheet::Sheet},
        formula::{self, is_formula, sheet_names::SheetNames, tree::Operator},
        literal,
    },
};

/// The most visits of cells for one answer.
pub const VISITS: usize = 10_000_000;

/// The answer needs more than `VISITS` visits of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl From<TooLarge> for Error {
    fn from(TooLarge: TooLarge) -> Self {
        codes::COMPUTATION_TOO_LARGE.refusal().into()
    }
}

pub struct Workbook<'a> {
    sheets: &'a [Sheet],
    names: SheetNames,
    index: HashMap<String, usize>,
    /// By sheet, column by column, because ranges are read down their columns.
    states: Vec<Vec<State>>,
    /// Calculations that have begun and have no value, in the order in which they began.
    open: Vec<Place>,
    visits_left: usize,
}

#[derive(Clone, Debug)]
enum State {
    Unread,
    /// The calculation with this number is not finished, or depends on one that is not.
    Open(usize),
    Known(Value),
}

/// What became of one step.
enum Step {
    Went,
    WaitsFor(Place),
    Finished(Value),
}

impl<'a> Workbook<'a> {
    pub fn new(content: &'a SpreadsheetContent) -> Self {
        Self::bounded(content, VISITS)
    }

    pub fn bounded(content: &'a SpreadsheetContent, visits: usize) -> Self {
        let sheets = &content.sheets;
        Self {
            sheets,
            names: content.sheet_names(),
            index: sheets.iter().enumerate().map(|(index, sheet)| (name_key(&sheet.name), index)).collect(),
            states: sheets.iter().map(|sheet| vec![State::Unread; sheet.rows() * sheet.columns()]).collect(),
            open: Vec::new(),
            visits_left: visits,
        }
    }

    /// The value of a cell; empty beyond the last row or column.
    pub fn value(&mut self, sheet: usize, cell: Cell) -> Result<Value, TooLarge> {
        let place = Place { sheet, cell };
        self.visit(1)?;
        self.calculate(place)?;
        let value = self.known(place);
        // The caller copies a text, and many formulas may have the same long one.
        self.visit(bytes(&value))?;
        Ok(value)
    }

    /// The value of a cell that is read or calculated. A cell that waits for itself is a cycle.
    pub(super) fn known(&self, Place { sheet, cell }: Place) -> Value {
        match self.offset(sheet, cell).map(|offset| &self.states[sheet][offset]) {
            Some(State::Known(value)) => value.clone(),
            Some(State::Open(_)) => Value::Error(CellError::Cycle),
            Some(State::Unread) | None => Value::Empty,
        }
    }

    /// Like [`Self::known`], without a copy.
    pub(super) fn with_known(&self, sheet: usize, cell: Cell, take: impl FnOnce(&Value)) {
        match self.offset(sheet, cell).map(|offset| &self.states[sheet][offset]) {
            Some(State::Known(value)) => take(value),
            Some(State::Open(_)) => take(&Value::Error(CellError::Cycle)),
            Some(State::Unread) | None => {}
        }
    }

    pub(super) fn visit(&mut self, cells: usize) -> Result<(), TooLarge> {
        self.visits_left = self.visits_left.checked_sub(cells).ok_or(TooLarge)?;
        Ok(())
    }

    pub(super) fn extent(&self, sheet: usize) -> (usize, usize) {
        (self.sheets[sheet].rows(), self.sheets[sheet].columns())
    }

    fn offset(&self, sheet: usize, Cell { row, column }: Cell) -> Option<usize> {
        let (rows, columns) = self.extent(sheet);
        (row < rows && column < columns).then_some(column * rows + row)
    }

    // A list of calculations in place of recursion: a chain of formulas may be as long as the workbook.
    fn calculate(&mut self, place: Place) -> Result<(), TooLarge> {
        let mut frames: Vec<Frame> = Vec::new();
        frames.extend(self.begin(place));
        while let Some(mut frame) = frames.pop() {
            match self.step(&mut frame)? {
                Step::Went => frames.push(frame),
                Step::WaitsFor(place) => {
                    frames.push(frame);
                    frames.extend(self.begin(place));
                }
                Step::Finished(value) => {
                    let lowest = frame.lowest;
                    self.finish(&frame, value);
                    if let Some(waiting) = frames.last_mut() {
                        waiting.lowest = waiting.lowest.min(lowest);
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads a cell. If it is a formula, begins its calculation.
    fn begin(&mut self, place: Place) -> Option<Frame> {
        let Place { sheet, cell } = place;
        let offset = self.offset(sheet, cell)?;
        if !matches!(self.states[sheet][offset], State::Unread) {
            return None;
        }
        let text = self.sheets[sheet].text(cell).unwrap_or_default();
        if !is_formula(text) {
            self.states[sheet][offset] = State::Known(literal_value(text));
            return None;
        }
        let Ok(expression) = formula::parse(text, &self.names) else {
            self.states[sheet][offset] = State::Known(Value::Error(CellError::Unreadable));
            return None;
        };
        let sheet_of = |name: Option<&str>| name.map_or(Some(sheet), |name| self.index.get(&name_key(name)).copied());
        let code = code::compile(&expression, &sheet_of);
        let number = self.open.len();
        self.open.push(place);
        self.states[sheet][offset] = State::Open(number);
        Some(Frame::new(place, code, number))
    }

    /// Carries out one instruction, or says for which cell it waits.
    fn step(&mut self, frame: &mut Frame) -> Result<Step, TooLarge> {
        if let Some(place) = self.next_unread(frame)? {
            return Ok(Step::WaitsFor(place));
        }
        let at = frame.at;
        frame.at += 1;
        frame.read = Default::default();
        match &frame.code[at] {
            Instruction::Push(operand) => frame.stack.push(operand.clone()),
            Instruction::Jump(to) => frame.at = *to,
            &Instruction::Branch { otherwise, end } => match self.pop(frame)? {
                Value::Error(error) => {
                    frame.push(Value::Error(error));
                    frame.at = end;
                }
                condition => match operators::number(&condition) {
                    Ok(number) if number != 0.0 => {}
                    Ok(_) => frame.at = otherwise,
                    Err(error) => {
                        frame.push(Value::Error(error));
                        frame.at = end;
                    }
                },
            },
            Instruction::Negate => {
                let value = operators::negate(&self.pop(frame)?);
                frame.push(value);
            }
            Instruction::Percent => {
                let value = operators::percent(&self.pop(frame)?);
                frame.push(value);
            }
            &Instruction::Apply(operator) => {
                let value = self.apply(frame, operator)?;
                frame.push(value);
            }
            &Instruction::Call(function, count) => {
                let value = self.call(frame, function, count)?;
                frame.push(value);
            }
            Instruction::End => return Ok(Step::Finished(self.result(frame))),
        }
        Ok(Step::Went)
    }

    fn apply(&mut self, frame: &mut Frame, operator: Operator) -> Result<Value, TooLarge> {
        let failed = frame.failed(2);
        let operands = frame.stack.split_off(frame.stack.len().saturating_sub(2));
        let values: Vec<Value> = operands.iter().map(|operand| self.single(frame, operand)).collect();
        let [one, other] = &values[..] else { return Ok(Value::Error(CellError::WrongType)) };
        self.visit(bytes(one) + bytes(other))?;
        // A range may have no cell next to the formula, or text is no number. Then an error of the other side wins.
        let is_weak = |operand: &Operand| match operand {
            Operand::Cells(area) => area.intersection(frame.place).is_none(),
            operand => matches!(operand, Operand::Value(Value::Text(_))),
        };
        Ok(match (failed, one, other) {
            (Some(error), ..) => Value::Error(error),
            (None, Value::Error(error), _) if is_weak(&operands[1]) => Value::Error(*error),
            (None, _, Value::Error(error)) if is_weak(&operands[0]) => Value::Error(*error),
            _ => operators::apply(operator, one, other),
        })
    }

    /// The value of a whole formula.
    fn result(&self, frame: &mut Frame) -> Value {
        match frame.stack.pop() {
            None | Some(Operand::Missing) => Value::Blank,
            Some(operand) => match self.single(frame, &operand) {
                Value::Empty => Value::Blank,
                value => value,
            },
        }
    }

    fn pop(&mut self, frame: &mut Frame) -> Result<Value, TooLarge> {
        let operand = frame.stack.pop();
        let value = operand.map_or(Value::Empty, |operand| self.single(frame, &operand));
        self.visit(bytes(&value))?;
        Ok(value)
    }

    /// The one value that an operand is.
    pub(super) fn single(&self, frame: &Frame, operand: &Operand) -> Value {
        match operand {
            Operand::Value(value) => value.clone(),
            Operand::Failed(error) => Value::Error(*error),
            Operand::Missing => Value::Empty,
            Operand::Cells(area) => match area.intersection(frame.place) {
                Some(cell) => self.known(Place { sheet: area.sheet, cell }),
                None => Value::Error(CellError::WrongType),
            },
        }
    }

    /// Keeps the value of a finished calculation, unless it depends on one that is not finished.
    fn finish(&mut self, frame: &Frame, value: Value) {
        if frame.lowest < frame.number {
            return;
        }
        // What began since then and is still open depends on this calculation, as this one depends on it.
        let is_cycle = frame.needs_itself || self.open.len() > frame.number + 1;
        for Place { sheet, cell } in self.open.split_off(frame.number) {
            let value = if is_cycle { Value::Error(CellError::Cycle) } else { value.clone() };
            if let Some(offset) = self.offset(sheet, cell) {
                self.states[sheet][offset] = State::Known(value);
            }
        }
    }

    /// Whether a cell must be calculated first. Notes that `frame` depends on it.
    pub(super) fn must_wait(&mut self, frame: &mut Frame, Place { sheet, cell }: Place) -> bool {
        let Some(offset) = self.offset(sheet, cell) else { return false };
        match self.states[sheet][offset] {
            State::Known(_) => false,
            State::Open(number) => {
                frame.lowest = frame.lowest.min(number);
                frame.needs_itself |= number == frame.number;
                false
            }
            State::Unread => {
                let text = self.sheets[sheet].text(cell).unwrap_or_default();
                if is_formula(text) {
                    return true;
                }
                self.states[sheet][offset] = State::Known(literal_value(text));
                false
            }
        }
    }
}

fn literal_value(text: &str) -> Value {
    if text.is_empty() {
        return Value::Empty;
    }
    let number = literal::number(text).map(Value::number);
    number.or_else(|| literal::boolean(text).map(Value::Boolean)).unwrap_or_else(|| Value::text(text))
}

// A text costs as many visits as it has groups of eight bytes, because it is copied and compared.
pub(super) fn bytes(value: &Value) -> usize {
    if let Value::Text(text) = value { text.len() / 8 } else { 0 }
}
