//! A connection to either database.
#![expect(missing_docs, reason = "the derive makes public items that it does not document")]

/// A connection to either database; the same diesel expression runs on both.
#[derive(diesel::MultiConnection)]
pub enum Conn {
    /// PostgreSQL.
    Postgres(diesel::PgConnection),
    /// SQLite.
    Sqlite(diesel::SqliteConnection),
}
