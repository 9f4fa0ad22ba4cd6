//! A whole service: start and stop, the operator's endpoints, the command line.

pub mod cli;
mod connections;
mod definition;
mod grant_command;
mod metrics;
mod operator_error;
pub mod ops;
pub mod printed;
pub mod self_description;
pub mod server;
pub mod shutdown;

pub use definition::{Prepared, Service};
