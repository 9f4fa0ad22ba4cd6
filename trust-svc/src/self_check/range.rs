//! Checks a range of entries: each entry against its stored hash, and each event against its row.

use diesel::prelude::*;
use serde::Deserialize;
use shared_model::Failure;
use shared_runtime::{Conn, state::db::columns};
use trust_log::merkle::{Frontier, Hash, leaf_hash, size::TILE_WIDTH};

use super::mismatch::Mismatch;
use crate::{
    column::{TreeHash, from_column, to_column},
    events::store::EventRow,
    model::{EventKind, KeyId, MarketState},
    signers::registry,
    tables::{events, log_entries},
};

// Entries of one query: a few megabytes. A multiple of a tile's width, so that a range has whole tiles.
pub const RANGE: u64 = 2048;

/// The hashes of a range, computed from its entries.
#[derive(Debug, Default)]
pub struct RangeHashes {
    /// The roots of full tiles.
    pub tiles: Vec<Hash>,
    /// The hashes of the leaves after the last of them.
    pub rest: Vec<Hash>,
}

// The members of an entry that are compared with its row. A signer may sign other members too.
#[derive(Deserialize)]
struct CheckedLeaf<'a> {
    #[serde(borrow)]
    event: Option<CheckedEvent<'a>>,
    event_hash: Option<&'a str>,
    signer_key_id: Option<KeyId>,
    schema: Option<&'a str>,
}

#[derive(Deserialize)]
struct CheckedEvent<'a> {
    event_id: &'a str,
    kind: EventKind,
    market_id: &'a str,
    revision: i64,
}

/// Checks the entries from `start` up to, but not including, `end` in a log of `size` entries. Returns the first
/// mismatch.
pub fn check(conn: &mut Conn, start: u64, end: u64, size: u64) -> Result<Result<RangeHashes, Mismatch>, Failure> {
    let (from, below) = (to_column(start)?, to_column(end)?);
    let leaves: Vec<(i64, Vec<u8>, TreeHash)> = log_entries::table
        .filter(log_entries::log_index.ge(from))
        .filter(log_entries::log_index.lt(below))
        .order(log_entries::log_index)
        .select((log_entries::log_index, log_entries::leaf, log_entries::leaf_hash))
        .load(conn)?;
    let rows: Vec<EventRow> = events::table
        .filter(events::log_index.ge(from))
        .filter(events::log_index.lt(below))
        .order(events::log_index)
        .select(columns::<EventRow>())
        .load(conn)?;
    // A receipt is for `tree_size`. A size beyond the log would make the receipt impossible.
    let torn = rows.iter().find(|row| from_column(row.tree_size).map_or(true, |tree_size| tree_size > size));
    if let Some(row) = torn {
        let what = format!("the tree_size of its event must be at most {size}, and is {}", row.tree_size);
        return Ok(Err(Mismatch { place: format!("entry {}", row.log_index), what }));
    }
    Ok(compare(start, end, &leaves, rows))
}

fn compare(
    start: u64,
    end: u64,
    leaves: &[(i64, Vec<u8>, TreeHash)],
    rows: Vec<EventRow>,
) -> Result<RangeHashes, Mismatch> {
    let mut rows = rows.into_iter().peekable();
    let mut hashes = Vec::with_capacity(leaves.len());
    let mut stored = leaves.iter();
    for index in start..end {
        let place = || format!("entry {index}");
        let Some((_, leaf, TreeHash(stored))) = stored.next().filter(|(at, ..)| from_column(*at).ok() == Some(index))
        else {
            return Err(Mismatch { place: place(), what: "the entry is missing".to_owned() });
        };
        let hash = leaf_hash(leaf);
        if hash != *stored {
            return Err(Mismatch::new(place(), "the leaf_hash", hash, stored));
        }
        hashes.push(hash);
        let row = rows.next_if(|row| from_column(row.log_index).ok() == Some(index));
        compare_row(leaf, row.as_ref()).map_err(|what| Mismatch { place: place(), what })?;
    }
    if let Some(row) = rows.next() {
        let place = format!("entry {}", row.log_index);
        return Err(Mismatch { place, what: format!("the event {} has no entry", row.event_hash) });
    }
    let (tiles, rest) = hashes.as_chunks::<{ TILE_WIDTH as usize }>();
    Ok(RangeHashes { tiles: tiles.iter().map(|tile| root(tile)).collect(), rest: rest.to_vec() })
}

pub fn root(hashes: &[Hash]) -> Hash {
    let mut frontier = Frontier::default();
    for hash in hashes {
        frontier.push(*hash).expect("a tile is no log of the largest size");
    }
    frontier.root()
}

/// Compares an entry with the row of its event. A change of a signer has no row.
fn compare_row(leaf: &[u8], row: Option<&EventRow>) -> Result<(), String> {
    let leaf: CheckedLeaf<'_> =
        serde_json::from_slice(leaf).map_err(|error| format!("the entry is not of this service: {error}"))?;
    let (event, row) = match (leaf.event, row) {
        (Some(event), Some(row)) => (event, row),
        (None, None) if leaf.schema == Some(registry::SCHEMA) => return Ok(()),
        (None, _) => {
            return Err("the entry is neither an event nor a change of a signer, or has an event's row".to_owned());
        }
        (Some(_), None) => return Err("the event of the entry has no row".to_owned()),
    };
    let state = MarketState::after(event.kind);
    for (name, expected, stored) in [
        ("event_hash", leaf.event_hash.unwrap_or_default(), row.event_hash.as_str()),
        ("event_id", event.event_id, row.event_id.as_str()),
        ("market_id", event.market_id, row.market_id.as_str()),
        ("state", state.as_str(), row.state.as_str()),
        ("signer_key_id", leaf.signer_key_id.as_ref().map_or("", KeyId::as_str), row.signer_key_id.as_str()),
    ] {
        if expected != stored {
            return Err(format!("the {name} of its event must be {expected}, and is {stored}"));
        }
    }
    if event.revision != row.revision {
        return Err(format!("the revision of its event must be {}, and is {}", event.revision, row.revision));
    }
    Ok(())
}
