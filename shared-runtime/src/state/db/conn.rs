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

/// Runs one diesel expression on whichever connection this is, for what [`Conn`] itself cannot express
/// (upserts, batch inserts), and for what runs in most writes: the expression is written once and compiled for both, and its
/// prepared statement is found by its type, where [`Conn`] writes the text anew to find it.
#[macro_export]
macro_rules! on_each {
    ($conn:expr, |$concrete:ident| $expression:expr) => {
        match $conn {
            $crate::state::db::Conn::Postgres($concrete) => $expression,
            $crate::state::db::Conn::Sqlite($concrete) => $expression,
        }
    };
}

/// Inserts rows by a statement that takes one or many as its values: all in one round trip on PostgreSQL; SQLite has none, and
/// the statement for one row is prepared once.
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
