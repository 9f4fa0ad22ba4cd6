//! Publishing and reading events.

mod conflicts;
mod markets;
mod order;
mod policy;
mod publish;
mod search;
mod signature;
