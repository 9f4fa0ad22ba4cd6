//! Rewrites references in the text of a formula. All other bytes stay.

use std::ops::Range;

use super::{
    parser::LOST,
    tree::{Area, Expression, Reference},
    written::sheet_name,
};

/// The new text of some bytes of a formula.
#[derive(Debug)]
pub struct Replacement {
    bytes: Range<usize>,
    text: String,
    is_lost: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Rewritten {
    pub text: String,
    /// Whether a reference became `#REF!`.
    pub loses_reference: bool,
}

impl Reference {
    /// `None` if the reference has this area already.
    pub fn with_area(&self, area: Area) -> Option<Replacement> {
        let bytes = self.area_bytes.clone();
        (area != self.area).then(|| Replacement { bytes, text: area.to_string(), is_lost: area == Area::Lost })
    }

    /// `None` if it names no sheet.
    pub fn with_sheet(&self, name: &str) -> Option<Replacement> {
        let bytes = self.sheet.as_ref()?.bytes.clone();
        Some(Replacement { bytes, text: sheet_name(name).into_owned(), is_lost: false })
    }

    /// For a reference whose sheet is gone.
    // Without the sheet, which other programs could not read: Calc writes the same into .xlsx files.
    pub fn lost(&self) -> Replacement {
        let start = self.sheet.as_ref().map_or(self.area_bytes.start, |sheet| sheet.bytes.start);
        Replacement { bytes: start..self.area_bytes.end, text: LOST.to_owned(), is_lost: self.area != Area::Lost }
    }
}

/// The formula with what `change` makes of its references; `None` if that is the same text.
pub fn rewrite(
    formula: &str,
    tree: &Expression,
    change: impl Fn(&Reference) -> Option<Replacement>,
) -> Option<Rewritten> {
    let (mut text, mut done, mut loses_reference) = (String::new(), 0, false);
    for replacement in tree.references().into_iter().filter_map(change) {
        text.push_str(&formula[done..replacement.bytes.start]);
        text.push_str(&replacement.text);
        done = replacement.bytes.end;
        loses_reference |= replacement.is_lost;
    }
    text.push_str(&formula[done..]);
    (text != formula).then_some(Rewritten { text, loses_reference })
}
