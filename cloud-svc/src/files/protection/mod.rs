//! Parts that agents change only with the approval of a person.

pub mod moved;
pub mod set;
pub mod store;
