//! A plan for a document as a Word file with tracked changes, and what a person chose in it.

mod choices;
mod package;
mod paragraph;
mod reader;
mod slots;
#[cfg(test)]
mod tests;
mod texts;
mod track;
mod write;

pub use self::{
    choices::{Choice, Choices, Unexpected, choices},
    paragraph::Paragraph,
    reader::read,
    slots::Versions,
    write::{Tracked, docx},
};

pub const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
