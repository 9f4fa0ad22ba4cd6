//! A connection to either database, and macros for what it cannot express.

#[derive(diesel::MultiConnection)]
pub enum Conn {
    Postgres(diesel::PgConnection),
    Sqlite(diesel::SqliteConnection),
}

/// A statement with at most this number of rows is prepared. The commands of a batch have one row each, and some have
/// fifty.
pub const ROWS_PREPARED: usize = 64;

pub type ConnTransactions = <Conn as diesel::Connection>::TransactionManager;

/// Compiles one diesel expression for both databases and runs the one for this connection. Use it for upserts and batch
/// inserts, which [`Conn`] cannot express, and in hot paths. A prepared statement is then found by its type. [`Conn`]
/// builds the SQL text to find it.
#[macro_export]
macro_rules! on_each {
    ($conn:expr, |$concrete:ident| $expression:expr) => {
        match $conn {
            $crate::state::db::Conn::Postgres($concrete) => $expression,
            $crate::state::db::Conn::Sqlite($concrete) => $expression,
        }
    };
}

/// Inserts rows with a statement that takes one row or many as `$values`. PostgreSQL gets many rows in one round trip.
/// SQLite has no round trips, so there the statement for one row runs many times. After `=>` stand columns to return:
/// the answer has their values of each row, in any order.
#[macro_export]
macro_rules! insert_rows {
    ($conn:expr, $rows:expr, |$values:ident| $statement:expr) => {
        // The statement for one row is found by its type.
        $crate::insert_rows!(@execute $conn, $rows, |$values| $statement, $statement)
    };
    ($conn:expr, $rows:expr, |$values:ident| $statement:expr => $columns:expr) => {{
        let rows: Vec<_> = $rows.into_iter().collect();
        match &mut *$conn {
            $crate::state::db::Conn::Postgres(conn) if rows.len() > 1 => {
                let is_frequent = rows.len() <= $crate::state::db::ROWS_PREPARED;
                let $values = rows;
                let insert = $statement.returning($columns);
                match is_frequent {
                    true => ::diesel::RunQueryDsl::get_results($crate::state::db::prepared(insert), conn),
                    false => ::diesel::RunQueryDsl::get_results(insert, conn),
                }
            }
            conn => rows
                .into_iter()
                .map(|$values| {
                    $crate::on_each!(conn, |c| ::diesel::RunQueryDsl::get_result($statement.returning($columns), c))
                })
                .collect(),
        }
    }};
    (@execute $conn:expr, $rows:expr, |$values:ident| $one:expr, $many:expr) => {{
        let rows: Vec<_> = $rows.into_iter().collect();
        match &mut *$conn {
            $crate::state::db::Conn::Postgres(conn) if rows.len() > 1 => {
                // Each number of rows has its own text, so only a few are prepared. Preparing costs another round trip.
                let is_frequent = rows.len() <= $crate::state::db::ROWS_PREPARED;
                let $values = rows;
                match is_frequent {
                    true => ::diesel::RunQueryDsl::execute($crate::state::db::prepared($many), conn).map(drop),
                    false => ::diesel::RunQueryDsl::execute($many, conn).map(drop),
                }
            }
            conn => rows.into_iter().try_for_each(|$values| {
                $crate::on_each!(conn, |c| ::diesel::RunQueryDsl::execute($one, c)).map(drop)
            }),
        }
    }};
}

/// As [`insert_rows!`](crate::insert_rows), for a statement with `ON CONFLICT … DO UPDATE`.
// diesel prepares such a statement again at each run, unless it is told that the text stays the same.
#[macro_export]
macro_rules! upsert_rows {
    ($conn:expr, $rows:expr, |$values:ident| $statement:expr) => {
        $crate::insert_rows!(@execute $conn, $rows, |$values| $crate::state::db::prepared($statement), $statement)
    };
}
