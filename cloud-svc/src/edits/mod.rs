//! Edit plans and drafts.

pub mod drafts;
pub mod plans;
