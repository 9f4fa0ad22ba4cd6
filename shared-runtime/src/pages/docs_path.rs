//! Where the documentation of a service is.

/// The index of the operations.
pub const DOCS_PATH: &str = "/docs";
