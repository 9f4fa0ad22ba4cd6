//! What a connection is used for.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionMode {
    /// A statement that writes is an error.
    Read,
    Write,
    /// For a database that may belong to somebody else: a statement that writes is an error.
    Inspect,
    Migrate,
}
