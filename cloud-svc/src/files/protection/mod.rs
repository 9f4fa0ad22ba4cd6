//! Parts that agents change only with the approval of a person.

pub mod check;
pub mod moved;
pub mod set;
pub mod store;
