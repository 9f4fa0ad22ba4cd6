//! Idempotency records, from answers and from the database. `state/db` writes them together with the effects.

use std::{collections::HashMap, time::Duration};

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, RunQueryDsl as _,
};
use shared_model::{Error, Failure, Timestamp};

use super::{once::Bound, stored::StoredAnswer};
use crate::{
    http::reply::Answer,
    on_each,
    state::db::{Conn, idempotency_record::IdempotencyRecord, tables::idempotency},
};

pub(super) const WINDOW: Duration = Duration::from_secs(86_400);

/// The row of a completed command.
pub(super) fn row(answer: &Answer<()>, once: Bound, now: Timestamp) -> Result<IdempotencyRecord, Failure> {
    let StoredAnswer { fingerprint, expires_at, status, headers, payload } =
        StoredAnswer::from_answer(answer, once, now.plus(WINDOW))?;
    Ok(IdempotencyRecord { scope: once.scope, fingerprint, created_at: now, expires_at, status, headers, payload })
}

pub(super) struct RecordedCommand {
    pub(super) created_at: Timestamp,
    pub(super) stored: StoredAnswer,
}

impl RecordedCommand {
    /// The answer, for the same request; 409 for another request under the same key.
    pub(super) fn replay(self, once: Bound) -> Result<Answer<()>, Error> {
        self.stored.replay(once, self.created_at)
    }
}

/// The row, unless it has expired.
pub(super) fn look_up(conn: &mut Conn, scope: [u8; 32], now: Timestamp) -> Result<Option<RecordedCommand>, Failure> {
    Ok(find(conn, scope)?.filter(|entry| entry.stored.expires_at > now))
}

/// The rows of these scopes that have not expired.
pub(super) fn look_up_all(
    conn: &mut Conn,
    scopes: &[[u8; 32]],
    now: Timestamp,
) -> Result<HashMap<[u8; 32], RecordedCommand>, Failure> {
    let scopes: Vec<&[u8]> = scopes.iter().map(<[u8; 32]>::as_slice).collect();
    let rows: Vec<(Vec<u8>, Row)> = on_each!(conn, |c| idempotency::table
        .filter(idempotency::scope.eq_any(&scopes).and(idempotency::expires_at.gt(now)))
        .select((idempotency::scope, columns()))
        .load(c))?;
    let recorded = rows.into_iter().map(|(scope, row)| {
        let scope = scope.try_into().map_err(|_| Failure::fault("a scope of an idempotency record"))?;
        Ok((scope, recorded(row)?))
    });
    recorded.collect()
}

type Row = (Vec<u8>, Timestamp, Timestamp, Option<i32>, Option<String>, Option<String>);

#[diesel::dsl::auto_type(no_type_alias)]
fn columns() -> _ {
    (
        idempotency::fingerprint,
        idempotency::created_at,
        idempotency::expires_at,
        idempotency::status,
        idempotency::headers,
        idempotency::payload,
    )
}

fn find(conn: &mut Conn, scope: [u8; 32]) -> Result<Option<RecordedCommand>, Failure> {
    let row = idempotency::table.find(scope.as_slice()).select(columns()).first::<Row>(conn).optional()?;
    row.map(recorded).transpose()
}

fn recorded(row: Row) -> Result<RecordedCommand, Failure> {
    // A row is always written with its answer, although the table would allow one without.
    let (fingerprint, created_at, expires_at, Some(status), Some(headers), Some(payload)) = row else {
        return Err(Failure::fault("an idempotency record has no answer"));
    };
    let fingerprint = fingerprint.try_into().map_err(|_| Failure::fault("a fingerprint of an idempotency record"))?;
    let status = u16::try_from(status)
        .map_err(|error| Failure::fault("a status of an idempotency record").from_source(error))?;
    Ok(RecordedCommand { created_at, stored: StoredAnswer { fingerprint, expires_at, status, headers, payload } })
}
