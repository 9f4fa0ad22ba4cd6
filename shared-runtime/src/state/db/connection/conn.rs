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

/// Inserts rows with a statement that takes one row or many as `$values`. PostgreSQL gets many rows in one round trip.
/// SQLite has no round trips, so there the statement for one row runs many times. After `=>` stands a column to return:
/// the answer has its value of each row, in the order of the rows.
#[macro_export]
macro_rules! insert_rows {
    ($conn:expr, $rows:expr, |$values:ident| $statement:expr) => {{
        let rows: Vec<_> = $rows.into_iter().collect();
        match &mut *$conn {
            $crate::state::db::Conn::Postgres(conn) if rows.len() > 1 => {
                let $values = rows;
                ::diesel::RunQueryDsl::execute($statement, conn).map(drop)
            }
            // The statement for one row is found by its type.
            conn => rows.into_iter().try_for_each(|$values| {
                $crate::on_each!(conn, |c| ::diesel::RunQueryDsl::execute($statement, c)).map(drop)
            }),
        }
    }};
    ($conn:expr, $rows:expr, |$values:ident| $statement:expr => $column:expr) => {{
        let rows: Vec<_> = $rows.into_iter().collect();
        match &mut *$conn {
            $crate::state::db::Conn::Postgres(conn) if rows.len() > 1 => {
                let $values = rows;
                ::diesel::RunQueryDsl::get_results($statement.returning($column), conn)
            }
            conn => rows
                .into_iter()
                .map(|$values| {
                    $crate::on_each!(conn, |c| { ::diesel::RunQueryDsl::get_result($statement.returning($column), c) })
                })
                .collect(),
        }
    }};
}

/// As [`insert_rows!`](crate::insert_rows), for a statement with `ON CONFLICT … DO UPDATE`.
// diesel prepares such a statement again at each run, unless it is told that the text stays the same.
#[macro_export]
macro_rules! upsert_rows {
    ($conn:expr, $rows:expr, |$values:ident| $statement:expr) => {{
        let rows: Vec<_> = $rows.into_iter().collect();
        match &mut *$conn {
            $crate::state::db::Conn::Postgres(conn) if rows.len() > 1 => {
                let $values = rows;
                ::diesel::RunQueryDsl::execute($statement, conn).map(drop)
            }
            conn => rows.into_iter().try_for_each(|$values| {
                $crate::on_each!(conn, |c| {
                    ::diesel::RunQueryDsl::execute($crate::state::db::prepared($statement), c)
                })
                .map(drop)
            }),
        }
    }};
}
