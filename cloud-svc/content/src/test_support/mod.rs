//! Helpers of this crate's tests.

pub mod canvas_checks;
pub mod canvas_plans;
pub mod plans;
pub mod separated;
