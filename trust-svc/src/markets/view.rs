//! What the world sees of a market.

use serde::Serialize;
use shared_model::Timestamp;
use utoipa::ToSchema;

use super::{Market, MarketId, State};
use crate::canonical::EventHash;

/// Where a market stands after its latest event. The next event has `revision` + 1, and `event_hash` as its
/// `prev_event_hash`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MarketView {
    /// Its id.
    pub market_id: MarketId,
    /// The revision of its latest event.
    pub revision: i64,
    /// The hash of its latest event.
    pub event_hash: EventHash,
    /// Its state.
    pub state: State,
    /// When its latest event was published.
    pub updated_at: Timestamp,
}

impl From<Market> for MarketView {
    fn from(market: Market) -> Self {
        let Market { market_id, revision, event_hash, state, updated_at } = market;
        Self { market_id, revision, event_hash, state, updated_at }
    }
}
