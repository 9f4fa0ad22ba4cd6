//! Proposals: plans for several files that are decided together, all or none.

pub mod add_plans;
pub mod apply;
pub mod change;
pub mod create;
pub mod decide;
pub mod discard;
pub mod list;
pub mod members;
pub mod proposal;
pub mod read;
pub mod rebase;
pub mod record;
pub mod request_review;
pub mod seen;
mod store;
pub mod sweep;
pub mod undo;
