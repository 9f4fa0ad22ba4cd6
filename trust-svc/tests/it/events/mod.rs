//! Publishing and reading events.

mod conflicts;
mod order;
mod policy;
mod publish;
mod signature;
