//! The table of events. The content of an event is its entry in the log; a row has its place.

use std::cmp::Reverse;

use diesel::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, insert_rows, on_each, state::db::columns};

use crate::{
    column::{TreeHash, from_column},
    log::{LogPosition, proven},
    model::{EventHash, EventId, KeyId, MarketId, MarketState},
    tables::{events, log_entries},
};

/// The place of an event in its market and in the log.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = events)]
pub struct EventRow {
    pub event_id: EventId,
    pub event_hash: EventHash,
    pub market_id: MarketId,
    /// The revision of the market after this event.
    pub revision: i64,
    /// The state of the market after this event.
    pub state: MarketState,
    pub published_at: Timestamp,
    pub signer_key_id: KeyId,
    pub log_index: i64,
    /// The size of the log after the batch that appended this event. Its receipt is for this size, now and later.
    pub tree_size: i64,
}

/// The log's entry of an event.
#[derive(Debug, Deserialize)]
pub struct EventLeaf {
    /// Canonical JSON.
    pub event: Box<RawValue>,
    pub event_hash: String,
    pub signature: String,
    pub signer_key_id: KeyId,
}

pub struct StoredEvent {
    pub row: EventRow,
    pub position: LogPosition,
    /// `None` if the entry is so damaged that it cannot be read.
    pub leaf: Option<EventLeaf>,
    /// Whether the entry has the hash that the position proves.
    pub is_intact: bool,
}

/// The hash and the id of every published event that has one of these hashes or ids.
pub fn find_hashes_and_ids(
    conn: &mut Conn,
    hashes: &[EventHash],
    ids: &[EventId],
) -> Result<Vec<(EventHash, EventId)>, Failure> {
    Ok(on_each!(conn, |c| events::table
        .filter(events::event_hash.eq_any(hashes).or(events::event_id.eq_any(ids)))
        .select((events::event_hash, events::event_id))
        .load(c))?)
}

pub fn find(conn: &mut Conn, hash: &EventHash) -> Result<Option<StoredEvent>, Failure> {
    // A left join, so that an event with a lost entry does not look unpublished.
    let found: Option<(EventRow, Option<Vec<u8>>, Option<TreeHash>)> = events::table
        .left_join(log_entries::table.on(log_entries::log_index.eq(events::log_index)))
        .filter(events::event_hash.eq(hash))
        .select((columns::<EventRow>(), log_entries::leaf.nullable(), log_entries::leaf_hash.nullable()))
        .first(conn)
        .optional()?;
    let Some((row, leaf, leaf_hash)) = found else { return Ok(None) };
    let index = from_column(row.log_index)?;
    let (Some(leaf), Some(TreeHash(leaf_hash))) = (leaf, leaf_hash) else { return Err(proven::missing_entry(index)) };
    // At the size of its batch, not at the present size: the receipt must equal the one that its publisher got.
    let size = from_column(row.tree_size)?;
    let position = LogPosition::find(conn, index, leaf_hash, size)?;
    let is_intact = proven::is_intact(&leaf, leaf_hash);
    let leaf = match serde_json::from_slice(&leaf) {
        Err(error) if is_intact => return Err(error.into()),
        // Not a failure here: the page of the event shows the damage.
        leaf => leaf.ok(),
    };
    Ok(Some(StoredEvent { row, position, leaf, is_intact }))
}

/// At most `limit` events with their entries of the log, the newest first.
pub fn newest(conn: &mut Conn, limit: i64) -> Result<Vec<(EventRow, Vec<u8>)>, Failure> {
    Ok(events::table
        .inner_join(log_entries::table.on(log_entries::log_index.eq(events::log_index)))
        .order(events::log_index.desc())
        .limit(limit)
        .select((columns::<EventRow>(), log_entries::leaf))
        .load(conn)?)
}

/// What people look for.
pub enum Wanted {
    /// `sha256:` and the first digits.
    HashBeginning(String),
    Event(EventId),
    Market(MarketId),
}

/// At most `limit` events with their entries of the log, the newest first. If more hashes have the beginning, these are
/// the events with the smallest ones.
// A query each, through an index each: one query with `OR` would read the whole table. Each order is that of its index,
// so the database reads no more rows than it returns.
pub fn search(conn: &mut Conn, wanted: &Wanted, limit: i64) -> Result<Vec<(EventRow, Vec<u8>)>, Failure> {
    let found = events::table
        .inner_join(log_entries::table.on(log_entries::log_index.eq(events::log_index)))
        .limit(limit)
        .select((columns::<EventRow>(), log_entries::leaf));
    Ok(match wanted {
        Wanted::HashBeginning(beginning) => {
            // Digits end with `f`, so `g` is behind all that begin so, in every collation.
            let (first, behind) = (events::event_hash.ge(beginning), events::event_hash.lt(format!("{beginning}g")));
            let mut found: Vec<(EventRow, Vec<u8>)> =
                found.filter(first.and(behind)).order(events::event_hash).load(conn)?;
            found.sort_unstable_by_key(|(event, _)| Reverse(event.log_index));
            found
        }
        Wanted::Event(id) => found.filter(events::event_id.eq(id)).load(conn)?,
        // Each event of a market has a higher revision, and a later place in the log, than those before it.
        Wanted::Market(id) => found.filter(events::market_id.eq(id)).order(events::revision.desc()).load(conn)?,
    })
}

pub fn insert(conn: &mut Conn, rows: &[EventRow]) -> Result<(), Failure> {
    Ok(insert_rows!(conn, rows, |row| diesel::insert_into(events::table).values(row))?)
}
