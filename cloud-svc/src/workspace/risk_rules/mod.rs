//! What a workspace wants to be warned about.

pub mod read;
pub mod set;
pub mod store;
