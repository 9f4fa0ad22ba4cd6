//! The agents of a workspace, and the limits that people set for them.

pub mod list;
mod person;
pub mod read;
pub mod record;
pub mod revoke;
pub mod set;
