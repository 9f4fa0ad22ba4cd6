//! The table of events. The content of an event is in the log, its place beside it.

use diesel::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, insert_rows, on_each, state::db::columns};

use super::{EventId, MarketId};
use crate::{
    canonical::EventHash,
    column::number,
    log::Place,
    markets::MarketState,
    merkle::Hash,
    schema::{events, log_entries},
    signers::KeyId,
};

/// The place of an event in its market and in the log.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = events)]
pub struct EventRow {
    /// Its id.
    pub event_id: EventId,
    /// Its hash.
    pub event_hash: EventHash,
    /// Its market.
    pub market_id: MarketId,
    /// The market's revision that it made.
    pub revision: i64,
    /// The market's state after it.
    pub state: MarketState,
    /// When it was published, by the server's clock.
    pub published_at: Timestamp,
    /// Whose signature it has.
    pub signer_key_id: KeyId,
    /// Its index in the log.
    pub log_index: i64,
    /// The size of the log after the batch that appended it.
    pub tree_size: i64,
}

/// What the log keeps of a publication.
#[derive(Debug, Deserialize)]
pub struct EventLeaf {
    /// The event, as canonical JSON.
    pub event: Box<RawValue>,
    /// Its hash.
    pub event_hash: String,
    /// The signature, as it was sent.
    pub signature: String,
    /// Whose it is.
    pub signer_key_id: KeyId,
}

/// An event as it is stored, with the proof that it was given when it was published.
pub struct Stored {
    /// Where it stands.
    pub row: EventRow,
    /// Where in the log.
    pub place: Place,
    /// What was published.
    pub leaf: EventLeaf,
}

/// The hashes and ids of published events that have one of these hashes or ids.
pub fn find_known(
    conn: &mut Conn,
    hashes: &[EventHash],
    ids: &[EventId],
) -> Result<Vec<(EventHash, EventId)>, Failure> {
    Ok(on_each!(conn, |c| events::table
        .filter(events::event_hash.eq_any(hashes).or(events::event_id.eq_any(ids)))
        .select((events::event_hash, events::event_id))
        .load(c))?)
}

/// The event of this hash.
pub fn find(conn: &mut Conn, hash: &EventHash) -> Result<Option<Stored>, Failure> {
    let found: Option<(EventRow, Vec<u8>, Hash)> = events::table
        .inner_join(log_entries::table.on(log_entries::log_index.eq(events::log_index)))
        .filter(events::event_hash.eq(hash))
        .select((columns::<EventRow>(), log_entries::leaf, log_entries::leaf_hash))
        .first(conn)
        .optional()?;
    let Some((row, leaf, leaf_hash)) = found else { return Ok(None) };
    let place = Place::find(conn, number(row.log_index)?, leaf_hash, number(row.tree_size)?)?;
    Ok(Some(Stored { row, place, leaf: serde_json::from_slice(&leaf)? }))
}

/// At most `limit` events, those that were published last before the others.
pub fn newest(conn: &mut Conn, limit: i64) -> Result<Vec<EventRow>, Failure> {
    Ok(events::table.order(events::log_index.desc()).limit(limit).select(columns::<EventRow>()).load(conn)?)
}

/// At most `limit` events of a market after this revision, in their order.
pub fn chain(conn: &mut Conn, id: MarketId, after: i64, limit: i64) -> Result<Vec<EventRow>, Failure> {
    let chain = events::table.filter(events::market_id.eq(id)).filter(events::revision.gt(after));
    Ok(chain.order(events::revision).limit(limit).select(columns::<EventRow>()).load(conn)?)
}

/// Stores the places of new events.
pub fn insert(conn: &mut Conn, rows: &[EventRow]) -> Result<(), Failure> {
    Ok(insert_rows!(conn, rows, |row| diesel::insert_into(events::table).values(row))?)
}
