//! The ledger of commands: a row for each key, written by the transaction that does the transaction.

use std::time::Duration;

use diesel::{ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, RunQueryDsl as _, upsert::excluded};
use shared_model::{Error, Failure, Timestamp};

use super::{Once, stored::Stored};
use crate::{
    http::reply::Answer,
    on_each,
    state::db::{Conn, prepared, tables::idempotency},
};

/// How long a key belongs to its command.
pub(super) const WINDOW: Duration = Duration::from_secs(86_400);

/// Replays the answer that the key has, or does the transaction and keeps its answer; `conn` is in a write transaction.
pub(super) fn settle<T>(
    conn: &mut Conn,
    once: Once,
    now: Timestamp,
    transaction: &impl Fn(&mut Conn) -> Result<Answer<T>, Error>,
) -> Result<Answer<T>, Error> {
    if !take(conn, once, now)? {
        let Some(Entry { stored, .. }) = find(conn, once.scope)? else {
            return Err(Failure::fault("a key that is taken has no row").into());
        };
        if stored.expires_at > now {
            return stored.replay(once);
        }
        diesel::delete(idempotency::table.find(once.scope.as_slice())).execute(conn)?;
        if !take(conn, once, now)? {
            return Err(Failure::fault("a key that was freed is taken").into());
        }
    }
    let answer = transaction(conn)?;
    keep(conn, once, now, &Stored::of(&answer, once, now.plus(WINDOW))?)?;
    Ok(answer)
}

/// Takes the key, unless it has a row. It inserts without a look: under PostgreSQL's serializable isolation, a look for
/// a row that is not there makes every parallel insertion nearby a conflict.
fn take(conn: &mut Conn, once: Once, now: Timestamp) -> Result<bool, Failure> {
    let row = (
        idempotency::scope.eq(once.scope.as_slice()),
        idempotency::fingerprint.eq(once.fingerprint.as_slice()),
        idempotency::created_at.eq(now),
        idempotency::expires_at.eq(now.plus(WINDOW)),
    );
    let taken = on_each!(conn, |c| diesel::insert_into(idempotency::table)
        .values(row)
        .on_conflict(idempotency::scope)
        .do_nothing()
        .execute(c))?;
    Ok(taken == 1)
}

/// Writes the answer into the row that [`take`] made; an upsert for the same reason, since it finds the row unlooked.
fn keep(conn: &mut Conn, once: Once, now: Timestamp, stored: &Stored) -> Result<(), Failure> {
    let row = (
        idempotency::scope.eq(once.scope.as_slice()),
        idempotency::fingerprint.eq(once.fingerprint.as_slice()),
        idempotency::created_at.eq(now),
        idempotency::expires_at.eq(stored.expires_at),
        idempotency::status.eq(i32::from(stored.status)),
        idempotency::headers.eq(&stored.headers),
        idempotency::payload.eq(&stored.payload),
    );
    on_each!(conn, |c| prepared(
        diesel::insert_into(idempotency::table).values(row).on_conflict(idempotency::scope).do_update().set((
            idempotency::status.eq(excluded(idempotency::status)),
            idempotency::headers.eq(excluded(idempotency::headers)),
            idempotency::payload.eq(excluded(idempotency::payload)),
        ))
    )
    .execute(c))?;
    Ok(())
}

/// A key's row: what was answered, and when.
pub(super) struct Entry {
    pub(super) created_at: Timestamp,
    pub(super) stored: Stored,
}

/// The row of a key that is still its command's.
pub(super) fn look_up(conn: &mut Conn, scope: [u8; 32], now: Timestamp) -> Result<Option<Entry>, Failure> {
    Ok(find(conn, scope)?.filter(|entry| entry.stored.expires_at > now))
}

type Row = (Vec<u8>, Timestamp, Timestamp, Option<i32>, Option<String>, Option<String>);

fn find(conn: &mut Conn, scope: [u8; 32]) -> Result<Option<Entry>, Failure> {
    let row = idempotency::table
        .find(scope.as_slice())
        .select((
            idempotency::fingerprint,
            idempotency::created_at,
            idempotency::expires_at,
            idempotency::status,
            idempotency::headers,
            idempotency::payload,
        ))
        .first::<Row>(conn)
        .optional()?;
    let Some(row) = row else { return Ok(None) };
    let (fingerprint, created_at, expires_at, Some(status), Some(headers), Some(payload)) = row else {
        return Err(Failure::fault("a row of the ledger without an answer"));
    };
    let fingerprint = fingerprint.try_into().map_err(|_| Failure::fault("a fingerprint in the ledger"))?;
    let status = u16::try_from(status).map_err(|error| Failure::fault("a status in the ledger").from_source(error))?;
    Ok(Some(Entry { created_at, stored: Stored { fingerprint, expires_at, status, headers, payload } }))
}
