//! The calculation of one formula, which may wait for the value of another cell.

use super::{
    area::Place,
    code::{Instruction, Operand},
    value::{CellError, Value},
};
use crate::spreadsheets::formula::tree::Function;

pub struct Frame {
    pub place: Place,
    pub code: Vec<Instruction>,
    /// The next instruction.
    pub at: usize,
    pub stack: Vec<Operand>,
    /// The cells of the next instruction that have a value already.
    pub read: Progress,
    /// When the calculation began, counted from 0.
    pub number: usize,
    /// The smallest number of a calculation on which this one depends.
    pub lowest: usize,
    pub needs_itself: bool,
}

/// How far an instruction's operands are read.
#[derive(Clone, Copy, Default)]
pub struct Progress {
    pub operand: usize,
    pub column: usize,
    pub row: usize,
}

impl Frame {
    pub fn new(place: Place, code: Vec<Instruction>, number: usize) -> Self {
        let (stack, read) = (Vec::new(), Progress::default());
        Self { place, code, at: 0, stack, read, number, lowest: number, needs_itself: false }
    }

    /// The number of operands whose cells the next instruction reads.
    pub fn operands(&self) -> usize {
        match self.code[self.at] {
            Instruction::Push(_) | Instruction::Jump(_) => 0,
            Instruction::Negate | Instruction::Percent | Instruction::Branch { .. } | Instruction::End => 1,
            Instruction::Apply(_) => 2,
            Instruction::Call(_, count) => count,
        }
    }

    /// Whether the next instruction takes all cells of a range, not the one next to the formula.
    pub fn takes_ranges(&self) -> bool {
        use Function as F;
        matches!(self.code[self.at], Instruction::Call(F::Sum | F::Average | F::Min | F::Max | F::Count, _))
    }

    /// Leaves the value of an operator or a function.
    pub fn push(&mut self, value: Value) {
        self.stack.push(match value {
            Value::Error(error) => Operand::Failed(error),
            value => Operand::Value(value),
        });
    }

    /// The first of the last `count` operands that failed. Calc shows its error before those of cells.
    pub fn failed(&self, count: usize) -> Option<CellError> {
        let operands = &self.stack[self.stack.len().saturating_sub(count)..];
        operands.iter().find_map(|operand| if let Operand::Failed(error) = operand { Some(*error) } else { None })
    }
}
