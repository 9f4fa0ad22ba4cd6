//! `/f/{file_id}/plans/{plan_id}`: what a plan would change, for whoever decides about it.

mod act;
mod changes;
mod compare;
mod forms;
pub mod seen;
mod show;
mod warnings;

pub use act::act;
pub use show::plan;
