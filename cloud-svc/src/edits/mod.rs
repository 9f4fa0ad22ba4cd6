//! Edit plans, proposals of several plans, drafts, receipts of decisions, and Word files of plans.

pub mod agents;
pub mod drafts;
pub mod plans;
pub mod proposals;
pub mod receipts;
pub mod word;
