//! Edit plans: edits that are previewed on the version that their author has seen, and applied exactly or not at all.

mod anchors;
pub mod apply;
pub mod approve;
pub mod discard;
pub mod inbox;
pub mod list;
pub mod operation;
pub mod plan;
mod prepared_proposal;
pub mod proposal;
pub mod propose;
pub mod read;
pub mod rebase;
pub mod receipt;
pub mod reject;
pub mod request_review;
pub mod rules;
mod seen;
pub mod store;
mod successor;
pub mod sweep;
mod verdict;
mod warnings;
