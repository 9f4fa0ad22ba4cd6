//! References as they are written in formulas.

use std::{borrow::Cow, fmt};

use super::{
    parser::LOST,
    tree::{Area, Line},
};
use crate::spreadsheets::a1::column::letters;

impl Line {
    fn dollar(self) -> &'static str {
        if self.is_absolute { "$" } else { "" }
    }

    fn column(self) -> String {
        format!("{}{}", self.dollar(), letters(self.index))
    }

    fn row(self) -> String {
        format!("{}{}", self.dollar(), self.index + 1)
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell { column, row } => write!(f, "{}{}", column.column(), row.row()),
            Self::Cells { columns: [left, right], rows: [top, bottom] } => {
                write!(f, "{}{}:{}{}", left.column(), top.row(), right.column(), bottom.row())
            }
            Self::Columns([first, last]) => write!(f, "{}:{}", first.column(), last.column()),
            Self::Rows([first, last]) => write!(f, "{}:{}", first.row(), last.row()),
            Self::Lost => f.write_str(LOST),
        }
    }
}

/// The name of a sheet before `!`, in quotation marks where it needs them.
pub fn sheet_name(name: &str) -> Cow<'_, str> {
    let is_plain = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !is_like_a_reference(name);
    if is_plain { name.into() } else { format!("'{}'", name.replace('\'', "''")).into() }
}

// Excel wants quotation marks for `B2`, `R1C1`, `rc` and `true`. To use them where they are not needed does no harm.
fn is_like_a_reference(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let is_in_either_form = matches!(&*name, "TRUE" | "FALSE");
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let has_letters = (1..=3).contains(&letters.len()) && letters.chars().all(|c| c.is_ascii_alphabetic());
    let is_a1 = has_letters && letters.len() < name.len();
    let is_r1c1 = name.starts_with(['R', 'C']) && name.chars().all(|c| c.is_ascii_digit() || matches!(c, 'R' | 'C'));
    is_in_either_form || is_a1 || is_r1c1
}
