//! Building an export: a file as it is, or a folder as one tar archive, cut into parts that are stored as they are read.
//!
//! Every part is recorded when it is durable, so that a build that was killed can be resumed: stored parts are read and
//! hashed again and must be the same. Concurrent builds of one source end with the same export.

mod archive;
mod packer;
mod request;
mod run;
mod source;
mod start;
mod unchanged_file;

pub use request::{BuildError, BuildRequest, Progress};
pub use run::build;
