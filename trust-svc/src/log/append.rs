//! Appending to the log, one publisher at a time.

use diesel::{connection::SimpleConnection as _, prelude::*};
use shared_model::Failure;
use shared_runtime::Conn;

use crate::schema::{log_entries, log_head};

/// Waits for its turn to append; the turn lasts until the transaction ends. Must come before anything is read: so each
/// appender sees all that the one before it did, and none has to try again.
///
/// SQLite has one writer anyway. On PostgreSQL `LOCK TABLE` takes no snapshot: a serializable transaction that starts
/// with it reads as of when it got the lock, not as of when it began to wait.
pub fn take_turn(conn: &mut Conn) -> Result<(), Failure> {
    match conn {
        Conn::Postgres(conn) => conn
            .batch_execute("LOCK TABLE log_head IN EXCLUSIVE MODE")
            .map_err(|error| Failure::unavailable("no turn to append").from_source(error)),
        Conn::Sqlite(_) => Ok(()),
    }
}

/// Appends a leaf; its index.
pub fn append(conn: &mut Conn, leaf: &str) -> Result<i64, Failure> {
    let size: i64 = diesel::update(log_head::table.find(1))
        .set(log_head::size.eq(log_head::size + 1))
        .returning(log_head::size)
        .get_result(conn)?;
    let index = size - 1;
    diesel::insert_into(log_entries::table)
        .values((log_entries::log_index.eq(index), log_entries::leaf.eq(leaf.as_bytes())))
        .execute(conn)?;
    Ok(index)
}
