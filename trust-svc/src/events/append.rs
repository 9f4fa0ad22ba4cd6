//! The transaction that appends a batch of events to the log. Each event is checked against the log and the events
//! before it.

use std::collections::{HashMap, HashSet};

use shared_model::{Failure, Refusal, Timestamp};
use shared_runtime::Conn;

use super::store::{self, EventRow};
use crate::{
    codes,
    column::to_column,
    log::{self, Leaf, LogPosition},
    markets::Market,
    model::{Event, EventHash, EventId, KeyId, MarketId},
    signers::{self, Signer},
};

/// An event that waits to be appended. Every check that needs no view of the log has passed.
#[derive(Debug)]
pub struct QueuedEvent {
    pub leaf: Leaf,
    pub event: Event,
    pub event_hash: EventHash,
    pub signer_key_id: KeyId,
    /// The time of the checks, before the event was queued.
    pub now: Timestamp,
    /// The URL of the market, for refusals that ask the publisher to read it again.
    pub market_href: String,
}

#[derive(Debug)]
pub enum AppendResult {
    Appended(Box<EventRow>, LogPosition),
    /// The same event was in the log before.
    Replayed,
    Refused(Refusal),
}

/// Appends the events that the log accepts, in their order. Returns one result for each event.
pub fn append(conn: &mut Conn, events: &[QueuedEvent]) -> Result<Vec<AppendResult>, Failure> {
    // Before every other read: they must see what the batch before this one committed.
    let head = log::lock_head(conn)?;
    let mut view = LogView::load(conn, events)?;
    let checked: Vec<_> = events.iter().map(|event| view.accept(event)).collect();
    let accepted = events.iter().zip(&checked).filter(|(_, checked)| checked.is_ok());
    let leaves: Vec<_> = accepted.map(|(event, _)| &event.leaf).collect();

    let mut positions = log::append(conn, &head, &leaves)?.into_iter();
    let mut rows = Vec::with_capacity(leaves.len());
    let mut results = Vec::with_capacity(events.len());
    for (event, checked) in events.iter().zip(checked) {
        // A refused event fails alone: the rest of its batch is committed.
        results.push(match checked {
            Ok(market) => {
                let position = positions.next().ok_or_else(|| Failure::fault("a leaf was appended nowhere"))?;
                let row = event.row(&market, &position)?;
                rows.push(row.clone());
                AppendResult::Appended(Box::new(row), position)
            }
            Err(result) => result,
        });
    }
    store::insert(conn, &rows)?;
    Ok(results)
}

impl QueuedEvent {
    fn row(&self, market: &Market, position: &LogPosition) -> Result<EventRow, Failure> {
        Ok(EventRow {
            event_id: self.event.event_id,
            event_hash: self.event_hash,
            market_id: self.event.market_id,
            revision: self.event.revision,
            state: market.state,
            published_at: market.updated_at,
            signer_key_id: self.signer_key_id.clone(),
            log_index: to_column(position.index())?,
            tree_size: to_column(position.tree_size())?,
        })
    }
}

/// The part of the log's state that the events of a batch are checked against: one query for each kind of row.
struct LogView {
    signers: HashMap<KeyId, Signer>,
    hashes: HashSet<EventHash>,
    ids: HashSet<EventId>,
    markets: HashMap<MarketId, Market>,
}

impl LogView {
    fn load(conn: &mut Conn, events: &[QueuedEvent]) -> Result<Self, Failure> {
        let signers: HashSet<_> = events.iter().map(|event| &event.signer_key_id).collect();
        let markets: HashSet<_> = events.iter().map(|event| event.event.market_id).collect();
        let hashes: Vec<_> = events.iter().map(|event| event.event_hash).collect();
        let ids: Vec<_> = events.iter().map(|event| event.event.event_id).collect();
        let signers = signers::store::find_all(conn, &signers.into_iter().collect::<Vec<_>>())?;
        let markets = Market::find_all(conn, &markets.into_iter().collect::<Vec<_>>())?;
        let (hashes, ids) = store::find_hashes_and_ids(conn, &hashes, &ids)?.into_iter().unzip();
        Ok(Self {
            signers: signers.into_iter().map(|signer| (signer.key_id.clone(), signer)).collect(),
            hashes,
            ids,
            markets: markets.into_iter().map(|market| (market.market_id, market)).collect(),
        })
    }

    /// Returns the market after the event, and counts the event for the events after it in the batch.
    fn accept(&mut self, queued: &QueuedEvent) -> Result<Market, AppendResult> {
        let QueuedEvent { event, event_hash, now, .. } = queued;
        // Before all others: a repeated request must get its receipt, not a conflict with itself or with the end of its
        // signer.
        if self.hashes.contains(event_hash) {
            return Err(AppendResult::Replayed);
        }
        // The signer may have been revoked while the event was queued. A stored revocation counts whatever its time is.
        // So the log has no event of a signer after its revocation, even though `now` is older.
        let signer = self.signers.get(&queued.signer_key_id);
        let signer = signer.ok_or_else(|| AppendResult::Refused(codes::UNKNOWN_SIGNER.refusal()))?;
        signer.require_active(*now).map_err(AppendResult::Refused)?;
        if self.ids.contains(&event.event_id) {
            let message = format!("The event_id {} belongs to another event.", event.event_id);
            return Err(AppendResult::Refused(codes::EVENT_ID_CONFLICT.because(message)));
        }
        let latest = self.markets.get(&event.market_id);
        let market = Market::after(latest, event, *event_hash, *now, &queued.market_href);
        let market = market.map_err(AppendResult::Refused)?;
        self.hashes.insert(*event_hash);
        self.ids.insert(event.event_id);
        self.markets.insert(event.market_id, market.clone());
        Ok(market)
    }
}
