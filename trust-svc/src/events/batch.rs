//! The transaction that appends a batch of events to the log: each is judged in its turn, after those before it.

use std::collections::{HashMap, HashSet};

use shared_model::{Failure, Refusal, Timestamp};
use shared_runtime::Conn;

use super::{
    Event, EventId, MarketId,
    store::{self, EventRow},
};
use crate::{
    canonical::EventHash,
    codes,
    column::column,
    log::{self, Leaf, Place},
    markets::{self, Market},
    signers::{self, KeyId, Signer},
};

/// An event that waits to be appended, checked but for what the log says.
#[derive(Debug)]
pub struct Entry {
    /// What the log keeps.
    pub leaf: Leaf,
    /// What it says.
    pub event: Event,
    /// Its hash.
    pub event_hash: EventHash,
    /// Whose signature it has.
    pub signer_key_id: KeyId,
    /// When the request was checked, before it waited for its turn.
    pub now: Timestamp,
    /// Where its market is read.
    pub market_href: String,
}

/// What became of an event.
#[derive(Debug)]
pub enum Judged {
    /// It is in the log.
    Published(Box<EventRow>, Place),
    /// It was in the log before.
    Replayed,
    /// It does not follow what is in the log.
    Refused(Refusal),
}

/// Appends those events that follow what is in the log, in their order.
pub fn append(conn: &mut Conn, entries: &[Entry]) -> Result<Vec<Judged>, Failure> {
    let head = log::take_turn(conn)?;
    let mut known = Known::of(conn, entries)?;
    let judged: Vec<_> = entries.iter().map(|entry| known.judge(entry)).collect();
    let accepted = entries.iter().zip(&judged).filter(|(_, judged)| judged.is_ok());
    let leaves: Vec<_> = accepted.map(|(entry, _)| &entry.leaf).collect();

    let mut places = log::append(conn, &head, &leaves)?.into_iter();
    let mut rows = Vec::with_capacity(leaves.len());
    let mut outcomes = Vec::with_capacity(entries.len());
    for (entry, judged) in entries.iter().zip(judged) {
        outcomes.push(match judged {
            Ok(market) => {
                let place = places.next().ok_or_else(|| Failure::fault("a leaf was appended nowhere"))?;
                let row = entry.row(&market, &place)?;
                rows.push(row.clone());
                Judged::Published(Box::new(row), place)
            }
            Err(judged) => judged,
        });
    }
    store::insert(conn, &rows)?;
    Ok(outcomes)
}

impl Entry {
    fn row(&self, market: &Market, place: &Place) -> Result<EventRow, Failure> {
        Ok(EventRow {
            event_id: self.event.event_id,
            event_hash: self.event_hash,
            market_id: self.event.market_id,
            revision: self.event.revision,
            state: market.state,
            published_at: market.updated_at,
            signer_key_id: self.signer_key_id.clone(),
            log_index: column(place.index())?,
            tree_size: column(place.tree_size())?,
        })
    }
}

/// What the log says so far, as far as the events of a batch are concerned.
struct Known {
    signers: HashMap<KeyId, Signer>,
    hashes: HashSet<EventHash>,
    ids: HashSet<EventId>,
    markets: HashMap<MarketId, Market>,
}

impl Known {
    fn of(conn: &mut Conn, entries: &[Entry]) -> Result<Self, Failure> {
        let signers: HashSet<_> = entries.iter().map(|entry| &entry.signer_key_id).collect();
        let markets: HashSet<_> = entries.iter().map(|entry| entry.event.market_id).collect();
        let hashes: Vec<_> = entries.iter().map(|entry| entry.event_hash).collect();
        let ids: Vec<_> = entries.iter().map(|entry| entry.event.event_id).collect();
        let signers = signers::store::find_all(conn, &signers.into_iter().collect::<Vec<_>>())?;
        let markets = markets::store::find_all(conn, &markets.into_iter().collect::<Vec<_>>())?;
        let (hashes, ids) = store::find_known(conn, &hashes, &ids)?.into_iter().unzip();
        Ok(Self {
            signers: signers.into_iter().map(|signer| (signer.key_id.clone(), signer)).collect(),
            hashes,
            ids,
            markets: markets.into_iter().map(|market| (market.market_id, market)).collect(),
        })
    }

    /// The market after the event, which counts for those after it in the batch.
    fn judge(&mut self, entry: &Entry) -> Result<Market, Judged> {
        let Entry { event, event_hash, now, .. } = entry;
        // The signer may have been revoked since the request was checked. A stored revocation counts whatever its time,
        // so that nothing of the signer stands in the log after it, though `now` is older than this turn.
        let signer = self.signers.get(&entry.signer_key_id);
        let signer = signer.ok_or_else(|| Judged::Refused(codes::UNKNOWN_SIGNER.refusal()))?;
        signer.require_active(*now).map_err(Judged::Refused)?;
        if self.hashes.contains(event_hash) {
            return Err(Judged::Replayed);
        }
        if self.ids.contains(&event.event_id) {
            let message = format!("The event_id {} belongs to another event.", event.event_id);
            return Err(Judged::Refused(codes::EVENT_ID_CONFLICT.because(message)));
        }
        let latest = self.markets.get(&event.market_id);
        let market = Market::after(latest, event, *event_hash, *now, &entry.market_href).map_err(Judged::Refused)?;
        self.hashes.insert(*event_hash);
        self.ids.insert(event.event_id);
        self.markets.insert(event.market_id, market.clone());
        Ok(market)
    }
}
