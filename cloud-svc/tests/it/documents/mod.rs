//! Native documents.

mod create;
mod read;
