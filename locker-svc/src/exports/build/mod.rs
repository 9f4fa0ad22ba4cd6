//! Builds an export: a file as it is, or a folder as one tar archive, cut into parts.
//!
//! Each part is recorded when it is durable, so a killed build can be resumed. It reads and hashes the stored parts
//! again; they must be the same. Concurrent builds of one source end with the same export.

mod archive;
mod packer;
mod request;
mod run;
mod source;
mod unchanged_file;

pub use request::{BuildError, BuildRequest, Progress};
pub use run::build;
