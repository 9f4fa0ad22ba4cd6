//! Edit plans, proposals of several plans, drafts, and receipts of decisions.

pub mod agents;
pub mod drafts;
pub mod plans;
pub mod proposals;
pub mod receipts;
