//! A connection to either database.

/// A connection to either database; the same diesel expression runs on both.
#[derive(diesel::MultiConnection)]
pub enum Conn {
    /// PostgreSQL.
    Postgres(diesel::PgConnection),
    /// SQLite.
    Sqlite(diesel::SqliteConnection),
}

/// What diesel notes of a connection's transaction.
pub(super) type ConnTransactions = <Conn as diesel::Connection>::TransactionManager;
