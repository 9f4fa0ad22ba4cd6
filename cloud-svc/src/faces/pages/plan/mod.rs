//! `/f/{file_id}/plans/{plan_id}`: the page of a plan, for people who decide about it.

mod act;
pub mod base_names;
pub mod changes;
pub mod compare;
mod excerpt;
mod forms;
pub mod part_names;
mod receipts;
pub mod review;
mod show;
pub mod shown_plan;
pub mod totals;
pub mod warnings;
mod word;

pub use act::act;
pub use excerpt::{Excerpt, excerpt};
pub use receipts::receipts;
pub use show::plan;
pub use word::word;
