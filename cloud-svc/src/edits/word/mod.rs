//! Plans for documents as Word files with tracked changes, and what a person chose in one.

pub mod export;
pub mod read_choices;
mod versions;
