//! Idempotency records. The executor inserts each one in the commit of the command's effects.

use diesel::{
    ExpressionMethods as _, RunQueryDsl as _, query_dsl::methods::FilterDsl as _, result::QueryResult, upsert::excluded,
};
use shared_model::Timestamp;

use super::tables::idempotency;
use crate::state::db::{Conn, connection::prepared::prepared};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IdempotencyRecord {
    /// Hash of caller, operation and key.
    pub(crate) scope: [u8; 32],
    /// Hash of the request.
    pub(crate) fingerprint: [u8; 32],
    pub(crate) created_at: Timestamp,
    /// The key can be used again from then on.
    pub(crate) expires_at: Timestamp,
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) payload: String,
}

// A macro, because one row and many rows give two types.
macro_rules! upsert {
    ($values:expr) => {
        prepared(
            diesel::insert_into(idempotency::table)
                .values($values)
                .on_conflict(idempotency::scope)
                .do_update()
                .set((
                    idempotency::fingerprint.eq(excluded(idempotency::fingerprint)),
                    idempotency::created_at.eq(excluded(idempotency::created_at)),
                    idempotency::expires_at.eq(excluded(idempotency::expires_at)),
                    idempotency::status.eq(excluded(idempotency::status)),
                    idempotency::headers.eq(excluded(idempotency::headers)),
                    idempotency::payload.eq(excluded(idempotency::payload)),
                ))
                .filter(idempotency::expires_at.le(excluded(idempotency::created_at))),
        )
    };
}

/// Inserts the rows; returns how many. It skips a row whose key has a record that has not expired.
pub fn insert(conn: &mut Conn, rows: &[&IdempotencyRecord]) -> QueryResult<usize> {
    // No SELECT first: only the unique key can decide, because other processes write at the same time.
    let values: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                idempotency::scope.eq(row.scope.as_slice()),
                idempotency::fingerprint.eq(row.fingerprint.as_slice()),
                idempotency::created_at.eq(row.created_at),
                idempotency::expires_at.eq(row.expires_at),
                idempotency::status.eq(i32::from(row.status)),
                idempotency::headers.eq(&row.headers),
                idempotency::payload.eq(&row.payload),
            )
        })
        .collect();
    // PostgreSQL takes all rows in one round trip. SQLite has no round trips, and diesel has no upsert of many rows for
    // it.
    match conn {
        Conn::Postgres(conn) => upsert!(values).execute(conn),
        Conn::Sqlite(conn) => values.into_iter().map(|row| upsert!(row).execute(conn)).sum(),
    }
}
