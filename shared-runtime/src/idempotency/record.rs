//! Idempotency records: made of answers, and read. They are written with the effects, in `state/db`.

use std::time::Duration;

use diesel::{OptionalExtension as _, QueryDsl as _, RunQueryDsl as _};
use shared_model::{Failure, Timestamp};

use super::{once::Once, stored::Stored};
use crate::{
    http::reply::Answer,
    state::db::{Conn, idempotency_record::IdempotencyRecord, tables::idempotency},
};

/// How long a key belongs to its command.
pub(super) const WINDOW: Duration = Duration::from_secs(86_400);

/// The row of a command that is done now.
pub(super) fn row<T>(answer: &Answer<T>, once: Once, now: Timestamp) -> Result<IdempotencyRecord, Failure> {
    let Stored { fingerprint, expires_at, status, headers, payload } = Stored::of(answer, once, now.plus(WINDOW))?;
    Ok(IdempotencyRecord { scope: once.scope, fingerprint, created_at: now, expires_at, status, headers, payload })
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
        return Err(Failure::fault("an idempotency record without an answer"));
    };
    let fingerprint = fingerprint.try_into().map_err(|_| Failure::fault("a fingerprint of an idempotency record"))?;
    let status = u16::try_from(status)
        .map_err(|error| Failure::fault("a status of an idempotency record").from_source(error))?;
    Ok(Some(Entry { created_at, stored: Stored { fingerprint, expires_at, status, headers, payload } }))
}
