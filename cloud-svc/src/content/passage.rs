//! A run of text within content.

/// A run of text within content, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage<'a> {
    /// The place, as warnings name it.
    pub place: Place<'a>,
    /// The text.
    pub text: &'a str,
    /// Where the text leads, if it is a link.
    pub link: Option<&'a str>,
}

/// A place in content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'a> {
    /// A block, an element or another part, by its id; or a member, by its name.
    Part(&'a str),
    /// A cell of a sheet; rows and columns count from 0.
    Cell {
        /// The name of the sheet.
        sheet: &'a str,
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
}
