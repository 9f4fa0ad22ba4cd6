//! Edits that are previewed before they are applied, and drafts.

pub mod drafts;
pub mod plans;
