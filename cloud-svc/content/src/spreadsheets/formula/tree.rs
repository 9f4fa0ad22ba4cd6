//! The syntax tree of a formula.

use std::ops::Range;

/// Its depth is bounded by the parser, whatever the length of the formula. So recursion over it is safe.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// Infinite if the digits say a number beyond the range of `f64`.
    Number(f64),
    Text(String),
    Boolean(bool),
    Reference(Reference),
    /// A minus sign. A plus sign is not in the tree, because it changes no value.
    Negated(Box<Expression>),
    Percent(Box<Expression>),
    Chain(Chain),
    Call(Function, Vec<Argument>),
}

/// An argument; `None` if nothing is between the commas. `ABS()` has no argument and `ABS(,)` has two.
pub type Argument = Option<Expression>;

/// Operands with operators of one precedence between them, applied from left to right: `1-2+3`.
// One flat node and not a tree of pairs: a long sum would be as deep as it is long.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    pub first: Box<Expression>,
    pub rest: Vec<(Operator, Expression)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Join,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// From the weakest to the strongest. `<=` stands before `<`: the first operator that fits is taken.
pub const PRECEDENCE: [&[(&str, Operator)]; 5] = [
    &[
        ("<>", Operator::NotEqual),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
        ("=", Operator::Equal),
    ],
    &[("&", Operator::Join)],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide)],
    &[("^", Operator::Power)],
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Sum,
    Average,
    Min,
    Max,
    Count,
    If,
    Round,
    Abs,
}

/// A reference to cells, as it is in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub sheet: Option<SheetPart>,
    pub area: Area,
    /// The bytes of the area in the formula, without the sheet.
    pub area_bytes: Range<usize>,
}

/// The sheet of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetPart {
    /// Without quotation marks.
    pub name: String,
    /// Its bytes in the formula, with quotation marks and without `!`.
    pub bytes: Range<usize>,
}

/// The cells of a reference. The ends of a range may be in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// `B2`
    Cell { column: Line, row: Line },
    /// `B2:C3`
    Cells { columns: [Line; 2], rows: [Line; 2] },
    /// `B:C`
    Columns([Line; 2]),
    /// `2:3`
    Rows([Line; 2]),
    /// `#REF!`: the cells were deleted.
    Lost,
}

/// A row or column in a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// From 0.
    pub index: usize,
    /// Whether `$` stands before it.
    pub is_absolute: bool,
}

impl Expression {
    /// All references, from left to right.
    pub fn references(&self) -> Vec<&Reference> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect<'a>(&'a self, found: &mut Vec<&'a Reference>) {
        match self {
            Self::Number(_) | Self::Text(_) | Self::Boolean(_) => {}
            Self::Reference(reference) => found.push(reference),
            Self::Negated(inner) | Self::Percent(inner) => inner.collect(found),
            Self::Chain(Chain { first, rest }) => {
                first.collect(found);
                rest.iter().for_each(|(_, operand)| operand.collect(found));
            }
            Self::Call(_, arguments) => arguments.iter().flatten().for_each(|argument| argument.collect(found)),
        }
    }
}

impl Area {
    /// The area with the rows that `change` makes of its rows, and lost if it makes none. Whole columns stay.
    pub fn with_rows(self, change: impl FnOnce([Line; 2]) -> Option<[Line; 2]>) -> Self {
        let changed = match self {
            Self::Cell { column, row } => change([row, row]).map(|[row, _]| Self::Cell { column, row }),
            Self::Cells { columns, rows } => change(rows).map(|rows| Self::Cells { columns, rows }),
            Self::Rows(rows) => change(rows).map(Self::Rows),
            Self::Columns(_) | Self::Lost => Some(self),
        };
        changed.unwrap_or(Self::Lost)
    }

    /// [`Self::with_rows`], for columns.
    pub fn with_columns(self, change: impl FnOnce([Line; 2]) -> Option<[Line; 2]>) -> Self {
        let changed = match self {
            Self::Cell { column, row } => change([column, column]).map(|[column, _]| Self::Cell { column, row }),
            Self::Cells { columns, rows } => change(columns).map(|columns| Self::Cells { columns, rows }),
            Self::Columns(columns) => change(columns).map(Self::Columns),
            Self::Rows(_) | Self::Lost => Some(self),
        };
        changed.unwrap_or(Self::Lost)
    }
}
