//! Presentations: slides with elements.

pub mod content;
pub mod edit;
