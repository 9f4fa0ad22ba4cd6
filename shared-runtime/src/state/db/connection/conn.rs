//! A connection to either database, and macros for what it cannot express.

#[derive(diesel::MultiConnection)]
pub enum Conn {
    Postgres(diesel::PgConnection),
    Sqlite(diesel::SqliteConnection),
}

pub type ConnTransactions = <Conn as diesel::Connection>::TransactionManager;

/// Compiles one diesel expression for both databases and runs the one for this connection. Use it for upserts and batch
/// inserts, which [`Conn`] cannot express, and in hot paths: a prepared statement is then found by its type, where
/// [`Conn`] builds the SQL text to find it.
#[macro_export]
macro_rules! on_each {
    ($conn:expr, |$concrete:ident| $expression:expr) => {
        match $conn {
            $crate::state::db::Conn::Postgres($concrete) => $expression,
            $crate::state::db::Conn::Sqlite($concrete) => $expression,
        }
    };
}

/// Inserts rows with a statement that takes one row or many as `$values`. PostgreSQL gets all rows in one round trip.
/// SQLite has no round trips, so there a prepared statement for one row runs many times.
#[macro_export]
macro_rules! insert_rows {
    ($conn:expr, $rows:expr, |$values:ident| $statement:expr) => {
        match $conn {
            $crate::state::db::Conn::Postgres(conn) => {
                let $values = $rows.into_iter().collect::<Vec<_>>();
                ::diesel::RunQueryDsl::execute($statement, conn).map(drop)
            }
            $crate::state::db::Conn::Sqlite(conn) => $rows.into_iter().try_for_each(|$values| {
                ::diesel::RunQueryDsl::execute($crate::state::db::prepared($statement), &mut *conn).map(drop)
            }),
        }
    };
}
