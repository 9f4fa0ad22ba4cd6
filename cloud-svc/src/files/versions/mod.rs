//! The versions of a file. A version never changes after it is inserted.

pub mod add;
pub mod compare;
mod current;
pub mod list;
pub mod read;
pub mod restore;
pub mod risk;
