//! The database: one way to read, one way to write, on SQLite and on PostgreSQL.

use crate::{Failure, Halt};

/// A connection to either database; the same diesel expression runs on both.
#[derive(diesel::MultiConnection)]
pub enum Conn {
    /// PostgreSQL.
    Postgres(diesel::PgConnection),
    /// SQLite.
    Sqlite(diesel::SqliteConnection),
}

/// Runs one diesel expression on whichever connection this is, for what [`Conn`] itself cannot express
/// (upserts, batch inserts): the expression is written once and compiled for both.
#[macro_export]
macro_rules! on_each {
    ($conn:expr, |$concrete:ident| $expression:expr) => {
        match $conn {
            $crate::db::Conn::Postgres($concrete) => $expression,
            $crate::db::Conn::Sqlite($concrete) => $expression,
        }
    };
}

/// A service's schema, for both databases; the versions of the two are the same.
#[derive(Clone, Copy)]
pub struct Migrations {
    /// `migrations/sqlite`, by `diesel_migrations::embed_migrations!`.
    pub sqlite: fn() -> diesel_migrations::EmbeddedMigrations,
    /// `migrations/postgres`.
    pub postgres: fn() -> diesel_migrations::EmbeddedMigrations,
}

/// The read side and the write side of one database.
#[derive(Clone)]
pub struct Db;

impl Db {
    /// Runs a query on the read side.
    pub async fn read<T: Send + 'static>(
        &self,
        _query: impl Fn(&mut Conn) -> Result<T, Halt> + Send + 'static,
    ) -> Result<T, Halt> {
        Err(Failure::fault("not yet").into())
    }

    /// Runs a deed in a write transaction that retries on conflict.
    pub async fn write<T: Send + 'static>(
        &self,
        _deed: impl Fn(&mut Conn) -> Result<T, Halt> + Send + 'static,
    ) -> Result<T, Halt> {
        Err(Failure::fault("not yet").into())
    }
}
