//! What is read from a Word file.

/// A paragraph, or a row of a table with the texts of its cells one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Paragraph {
    /// The text if all changes that are still tracked were rejected.
    pub before: String,
    /// The text if all of them were accepted.
    pub after: String,
}
