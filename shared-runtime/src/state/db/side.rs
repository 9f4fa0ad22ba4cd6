//! What a connection is for.

/// Decides how a connection is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Queries; a statement that writes is an error.
    Read,
    /// Transactions that write.
    Write,
    /// A look at a database that may turn out to be another one: nothing is changed.
    Look,
    /// Migrations, which may take their time.
    Migrate,
}
