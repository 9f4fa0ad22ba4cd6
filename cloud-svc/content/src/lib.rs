//! The content of Cloud's native files: documents, spreadsheets, notes, publications and presentations.
//!
//! This crate is pure. It reads, checks, edits and compares content, and knows neither HTTP nor a database.
//! Each kind is a folder that implements [`content::Content`]; [`kinds`] lists them.

#![forbid(unsafe_code)]

pub mod anchor;
pub mod authorship;
pub mod canonical;
pub mod canvas;
pub mod change_id;
pub mod codes;
pub mod comparison;
pub mod conflicts;
pub mod content;
pub mod deleted;
pub mod difference;
pub mod documents;
pub mod edited;
pub mod excerpt;
pub mod file_type;
pub mod foreign;
pub mod grid;
pub mod hidden_text;
pub mod kinds;
pub mod large_deletion;
pub mod limits;
pub mod lost;
pub mod markdown;
pub mod name_key;
pub mod native_kind;
pub mod notes;
pub mod office;
pub mod operation;
pub mod order;
pub mod part_id;
pub mod parts;
pub mod passage;
pub mod presentations;
pub mod preview;
pub mod protection;
pub mod publications;
pub mod rewritten;
pub mod risk_rules;
pub mod same_proposal;
pub mod search;
pub mod separation;
pub mod spreadsheets;
pub mod surroundings;
#[cfg(test)]
mod test_support;
pub mod view;
pub mod written;

pub use content::Content;
