//! A formula as instructions for a stack, so that its calculation can pause while it waits for another cell.

use super::{
    area::Area,
    value::{CellError, Value},
};
use crate::spreadsheets::formula::tree::{Argument, Chain, Expression, Function, Operator, Reference};

/// What instructions take and leave.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    Value(Value),
    /// The error of an operator or a function.
    Failed(CellError),
    /// Cells that are not read yet: a function may want all of them, an operator only one.
    Cells(Area),
    /// An argument with nothing between its commas.
    Missing,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Instruction {
    Push(Operand),
    Negate,
    Percent,
    Apply(Operator),
    Call(Function, usize),
    /// Goes on if the condition is true, to `otherwise` if it is false, and to `end` with its error.
    Branch {
        otherwise: usize,
        end: usize,
    },
    Jump(usize),
    /// Leaves the value of the formula.
    End,
}

/// The instructions of a formula. `sheet` gives the index of a sheet by its name, or of the formula's own sheet.
pub fn compile(expression: &Expression, sheet: &dyn Fn(Option<&str>) -> Option<usize>) -> Vec<Instruction> {
    let mut compiler = Compiler { code: Vec::new(), sheet, is_broken: false };
    compiler.expression(expression);
    if compiler.is_broken {
        compiler.code = vec![Instruction::Push(Operand::Value(Value::Error(CellError::WrongType)))];
    }
    compiler.code.push(Instruction::End);
    compiler.code
}

struct Compiler<'a> {
    code: Vec<Instruction>,
    sheet: &'a dyn Fn(Option<&str>) -> Option<usize>,
    /// Whether `IF` or `ABS` has too few or too many arguments. Calc then calculates nothing of the formula.
    is_broken: bool,
}

// Recursive, because the parser bounds the depth of a tree.
impl Compiler<'_> {
    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Number(number) => self.value(Value::number(*number)),
            Expression::Text(text) => self.value(Value::text(text.as_str())),
            Expression::Boolean(boolean) => self.value(Value::Boolean(*boolean)),
            Expression::Reference(reference) => self.reference(reference),
            Expression::Negated(inner) => {
                self.expression(inner);
                self.code.push(Instruction::Negate);
            }
            Expression::Percent(inner) => {
                self.expression(inner);
                self.code.push(Instruction::Percent);
            }
            Expression::Chain(Chain { first, rest }) => {
                self.expression(first);
                for (operator, operand) in rest {
                    self.expression(operand);
                    self.code.push(Instruction::Apply(*operator));
                }
            }
            Expression::Call(Function::If, arguments) => self.choice(arguments),
            Expression::Call(function, arguments) => {
                self.is_broken |= *function == Function::Abs && arguments.len() != 1;
                arguments.iter().for_each(|argument| self.argument(argument));
                self.code.push(Instruction::Call(*function, arguments.len()));
            }
        }
    }

    fn value(&mut self, value: Value) {
        self.code.push(Instruction::Push(Operand::Value(value)));
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Some(expression) => self.expression(expression),
            None => self.code.push(Instruction::Push(Operand::Missing)),
        }
    }

    fn reference(&mut self, reference: &Reference) {
        let sheet = (self.sheet)(reference.sheet.as_ref().map(|sheet| sheet.name.as_str()));
        match sheet.and_then(|sheet| Area::new(sheet, &reference.area)) {
            Some(area) => self.code.push(Instruction::Push(Operand::Cells(area))),
            None => self.value(Value::Error(CellError::LostReference)),
        }
    }

    /// `IF`: only the chosen argument is calculated.
    fn choice(&mut self, arguments: &[Argument]) {
        let (condition, then, otherwise) = match arguments {
            [condition] => (condition, &Some(Expression::Boolean(true)), &Some(Expression::Boolean(false))),
            [condition, then] => (condition, then, &Some(Expression::Boolean(false))),
            [condition, then, otherwise] => (condition, then, otherwise),
            _ => {
                self.is_broken = true;
                return;
            }
        };
        self.argument(condition);
        let branch = self.place_for_jump();
        self.argument(then);
        let jump = self.place_for_jump();
        let start = self.code.len();
        self.argument(otherwise);
        let end = self.code.len();
        self.code[branch] = Instruction::Branch { otherwise: start, end };
        self.code[jump] = Instruction::Jump(end);
    }

    /// The target is known once the instructions up to it are written.
    fn place_for_jump(&mut self) -> usize {
        self.code.push(Instruction::Jump(0));
        self.code.len() - 1
    }
}
