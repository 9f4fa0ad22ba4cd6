//! Reads the cells that an instruction takes.

use super::{
    aggregate::{Aggregate, Source},
    area::{Area, Place},
    code::Operand,
    frame::{Frame, Progress},
    functions,
    value::Value,
    workbook::{TooLarge, Workbook, bytes},
};
use crate::spreadsheets::{a1::cell::Cell, formula::tree::Function};

impl Workbook<'_> {
    /// The next cell without a value among those that the next instruction takes.
    pub(super) fn next_unread(&mut self, frame: &mut Frame) -> Result<Option<Place>, TooLarge> {
        let (count, takes_ranges) = (frame.operands(), frame.takes_ranges());
        let first = frame.stack.len().saturating_sub(count);
        while let Some(operand) = frame.stack.get(first + frame.read.operand) {
            if let &Operand::Cells(area) = operand {
                let unread = if takes_ranges { self.unread(frame, area)? } else { self.unread_single(frame, area)? };
                if unread.is_some() {
                    return Ok(unread);
                }
            }
            frame.read = Progress { operand: frame.read.operand + 1, ..Progress::default() };
        }
        Ok(None)
    }

    fn unread_single(&mut self, frame: &mut Frame, area: Area) -> Result<Option<Place>, TooLarge> {
        let Some(cell) = area.intersection(frame.place) else { return Ok(None) };
        self.visit(1)?;
        let place = Place { sheet: area.sheet, cell };
        Ok(self.must_wait(frame, place).then_some(place))
    }

    // Goes on where it stopped: a range may hold many formulas, and must not be read from its start after each.
    fn unread(&mut self, frame: &mut Frame, area: Area) -> Result<Option<Place>, TooLarge> {
        let (columns, rows) = self.within(area);
        while columns.start + frame.read.column < columns.end {
            while rows.start + frame.read.row < rows.end {
                self.visit(1)?;
                let Progress { column, row, .. } = frame.read;
                let cell = Cell { row: rows.start + row, column: columns.start + column };
                let place = Place { sheet: area.sheet, cell };
                if self.must_wait(frame, place) {
                    return Ok(Some(place));
                }
                frame.read.row += 1;
            }
            frame.read = Progress { column: frame.read.column + 1, row: 0, ..frame.read };
        }
        Ok(None)
    }

    /// The columns and rows of an area that the sheet has.
    fn within(&self, area: Area) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let (rows, columns) = self.extent(area.sheet);
        let cut = |[first, last]: [usize; 2], extent: usize| first.min(extent)..(last + 1).min(extent);
        (cut(area.columns, columns), cut(area.rows, rows))
    }

    /// Takes the arguments of a call from the stack and leaves its value.
    pub(super) fn call(&mut self, frame: &mut Frame, function: Function, count: usize) -> Result<Value, TooLarge> {
        let failed = frame.failed(count).filter(|_| function != Function::Count);
        let arguments = frame.stack.split_off(frame.stack.len().saturating_sub(count));
        if let Some(error) = failed {
            return Ok(Value::Error(error));
        }
        if matches!(function, Function::Round | Function::Abs | Function::If) {
            let values: Vec<Value> = arguments.iter().map(|argument| self.single(frame, argument)).collect();
            self.visit(values.iter().map(bytes).sum())?;
            return Ok(functions::call(function, &values));
        }
        let mut aggregate = Aggregate::new(function);
        // The last argument first, as Calc does: the order of a sum can change its digits.
        for argument in arguments.iter().rev() {
            match argument {
                Operand::Missing => aggregate.take_missing(),
                // Only `COUNT` continues after an error, and does not count it.
                Operand::Failed(_) => {}
                Operand::Value(value) => {
                    self.visit(bytes(value))?;
                    aggregate.take(value, Source::Formula);
                }
                &Operand::Cells(area) => self.take_cells(&mut aggregate, area),
            }
        }
        Ok(aggregate.result(count))
    }

    fn take_cells(&self, aggregate: &mut Aggregate, area: Area) {
        let (columns, rows) = self.within(area);
        // Down each column, as Calc does: the order of a sum can change its last digit.
        for column in columns {
            for row in rows.clone() {
                self.with_known(area.sheet, Cell { row, column }, |value| aggregate.take(value, Source::Cell));
            }
        }
    }
}
