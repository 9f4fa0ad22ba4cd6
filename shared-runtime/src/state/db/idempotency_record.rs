//! Idempotency records, as the executors write them: one for each key, in the commit of the command's effects.

use diesel::{
    ExpressionMethods as _, RunQueryDsl as _, query_dsl::methods::FilterDsl as _, result::QueryResult, upsert::excluded,
};
use shared_model::Timestamp;

use super::{prepared, tables::idempotency};
use crate::state::db::Conn;

/// What is written of a command that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IdempotencyRecord {
    /// Who, where, which operation and which key, as one hash.
    pub(crate) scope: [u8; 32],
    /// What was asked, as one hash.
    pub(crate) fingerprint: [u8; 32],
    /// When it was done.
    pub(crate) created_at: Timestamp,
    /// When the key is free again.
    pub(crate) expires_at: Timestamp,
    /// The HTTP status of the answer.
    pub(crate) status: u16,
    /// A JSON array of pairs.
    pub(crate) headers: String,
    /// JSON text.
    pub(crate) payload: String,
}

/// The insertion of one row or many.
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

/// Inserts the rows; how many. A row whose key is another command's is left out, unless that one has expired.
///
/// It does not look first: the unique key decides, whatever other processes do at the same time.
pub(super) fn insert(conn: &mut Conn, rows: &[&IdempotencyRecord]) -> QueryResult<usize> {
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
    // PostgreSQL takes all in one round trip. SQLite has none, and diesel no such statement for it.
    match conn {
        Conn::Postgres(conn) => upsert!(values).execute(conn),
        Conn::Sqlite(conn) => values.into_iter().map(|row| upsert!(row).execute(conn)).sum(),
    }
}
