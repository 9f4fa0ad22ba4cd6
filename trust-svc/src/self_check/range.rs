//! Checks a range of entries: each entry against its stored hash, and each event against its row.

use std::collections::HashSet;

use diesel::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use shared_model::Failure;
use shared_runtime::{Conn, state::db::columns};
use trust_log::merkle::{Frontier, Hash, leaf_hash, size::TILE_WIDTH};

use super::{
    mismatch::Mismatch,
    signer_table::{self, RecordedSigner},
};
use crate::{
    column::{TreeHash, from_column, to_column},
    events::store::EventRow,
    model::{EventKind, KeyId, MarketState},
    signers::registry,
    tables::{events, log_entries},
};

/// Entries of one query: at most 17 MB, if each has the greatest length. A multiple of a tile's width, so that a range
/// has whole tiles.
pub const RANGE: u64 = TILE_WIDTH;

/// A range that was found intact.
#[derive(Debug, Default)]
pub struct CheckedRange {
    pub hashes: RangeHashes,
    /// The signers that its entries change, the latest change last.
    pub signers: Vec<RecordedSigner>,
}

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
    // Of a change of a signer.
    signer: Option<Value>,
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
pub fn check(conn: &mut Conn, start: u64, end: u64, size: u64) -> Result<Result<CheckedRange, Mismatch>, Failure> {
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
    let torn = rows.iter().find(|row| !can_prove(row.tree_size, row.log_index, size));
    if let Some(EventRow { log_index, tree_size, .. }) = torn {
        let rule = format!("must be above {log_index} and at most {size}");
        let what = format!("the tree_size of its event {rule}, and is {tree_size}");
        return Ok(Err(Mismatch { place: format!("entry {log_index}"), what }));
    }
    Ok(compare(start, end, &leaves, rows))
}

/// The signers that the entries from `start` up to, but not including, `end` change. Checks nothing.
pub fn changed_signers(conn: &mut Conn, start: u64, end: u64) -> Result<HashSet<KeyId>, Failure> {
    let leaves: Vec<Vec<u8>> = log_entries::table
        .filter(log_entries::log_index.ge(to_column(start)?))
        .filter(log_entries::log_index.lt(to_column(end)?))
        .select(log_entries::leaf)
        .load(conn)?;
    let changed = |leaf: &Vec<u8>| {
        let leaf: CheckedLeaf<'_> = serde_json::from_slice(leaf).ok()?;
        signer_table::recorded(leaf.signer).ok().map(|(key_id, _)| key_id)
    };
    Ok(leaves.iter().filter_map(changed).collect())
}

// A receipt is for `tree_size`. Without the entry, or beyond the log, the receipt would be impossible.
fn can_prove(tree_size: i64, log_index: i64, size: u64) -> bool {
    log_index < tree_size && from_column(tree_size).is_ok_and(|tree_size| tree_size <= size)
}

fn compare(
    start: u64,
    end: u64,
    leaves: &[(i64, Vec<u8>, TreeHash)],
    rows: Vec<EventRow>,
) -> Result<CheckedRange, Mismatch> {
    let mut rows = rows.into_iter().peekable();
    let (mut hashes, mut signers) = (Vec::with_capacity(leaves.len()), Vec::new());
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
        signers.extend(compare_row(leaf, row.as_ref()).map_err(|what| Mismatch { place: place(), what })?);
    }
    if let Some(row) = rows.next() {
        let place = format!("entry {}", row.log_index);
        return Err(Mismatch { place, what: format!("the event {} has no entry", row.event_hash) });
    }
    let (tiles, rest) = hashes.as_chunks::<{ TILE_WIDTH as usize }>();
    let hashes = RangeHashes { tiles: tiles.iter().map(|tile| root(tile)).collect(), rest: rest.to_vec() };
    Ok(CheckedRange { hashes, signers })
}

pub fn root(hashes: &[Hash]) -> Hash {
    let mut frontier = Frontier::default();
    for hash in hashes {
        frontier.push(*hash).expect("a tile is no log of the largest size");
    }
    frontier.root()
}

/// Compares an entry with the row of its event. A change of a signer has no row; its signer is returned.
fn compare_row(leaf: &[u8], row: Option<&EventRow>) -> Result<Option<RecordedSigner>, String> {
    let leaf: CheckedLeaf<'_> =
        serde_json::from_slice(leaf).map_err(|error| format!("the entry is not of this service: {error}"))?;
    let (event, row) = match (leaf.event, row) {
        (Some(event), Some(row)) => (event, row),
        (None, None) if leaf.schema == Some(registry::SCHEMA) => {
            return signer_table::recorded(leaf.signer).map(Some);
        }
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
    Ok(None)
}

#[cfg(test)]
mod tests {
    use trust_log::tlog::bundle::MAX_ENTRY;

    use super::*;

    #[test]
    fn a_range_of_the_longest_entries_fits_into_the_memory_of_a_small_machine() {
        let largest = RANGE * u64::try_from(MAX_ENTRY).expect("a length");
        assert!(largest <= 20_000_000, "{largest} bytes are read at once");
    }

    #[test]
    fn a_receipt_is_for_a_tree_that_has_the_event() {
        let possible = [2, 3, 4, 7, 8, -1].map(|tree_size| can_prove(tree_size, 2, 7));
        assert_eq!(possible, [false, true, true, true, false, false]);
    }
}
