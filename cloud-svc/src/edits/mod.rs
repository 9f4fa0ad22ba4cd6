//! Edit plans and drafts, and receipts of decisions.

pub mod drafts;
pub mod plans;
pub mod receipts;
