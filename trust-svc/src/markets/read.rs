//! Reading where a market stands, and the events that brought it there.

use serde::Serialize;
use shared_model::{Cursor, Error, Timestamp, code};
use shared_runtime::{Answer, Anyone, Context, Path, Query, http::list::Page};
use utoipa::ToSchema;

use super::{Market, MarketState, store};
use crate::{
    canonical::EventHash,
    events::{EventId, MarketId, store as events},
    signers::KeyId,
};

/// A market with its events.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarketChain {
    /// Where it stands.
    #[serde(flatten)]
    pub market: Market,
    /// Its events, the first one first; `meta.next_cursor` leads to those after them.
    #[schema(max_items = 100)]
    pub events: Vec<ChainedEvent>,
}

/// An event in the chain of its market.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChainedEvent {
    /// The market's revision that it made.
    #[schema(minimum = 1)]
    pub revision: i64,
    /// Its hash: the `prev_event_hash` of the next one.
    pub event_hash: EventHash,
    /// Its id.
    pub event_id: EventId,
    /// The market's state after it.
    pub state: MarketState,
    /// Whose signature it has.
    pub signer_key_id: KeyId,
    /// Its index in the log.
    #[schema(minimum = 0)]
    pub log_index: i64,
    /// When it was published.
    pub published_at: Timestamp,
}

/// `GET /markets/{market_id}`: the market after its latest event, and a page of its events.
pub async fn read(
    _: Anyone,
    Path((id,)): Path<(MarketId,)>,
    Query(page): Query<Page>,
    context: Context,
) -> Result<Answer<MarketChain>, Error> {
    let now = context.clock.now();
    let cursors = Cursor::of(&context.secret, "read_market", "", id.as_str());
    let (after, rows) = (page.position::<i64>(&cursors, now)?.unwrap_or(0), page.rows());
    let found = context.read(move |conn| Ok((store::find(conn, id)?, events::chain(conn, id, after, rows)?))).await?;
    let (market, rows) = (found.0.ok_or_else(code::not_found)?, found.1);
    let (rows, has_more) = page.cut(rows);
    let next = rows.last().filter(|_| has_more).map(|last| cursors.encode(&last.revision.to_string(), now));
    let events = rows.into_iter().map(|row| ChainedEvent {
        revision: row.revision,
        event_hash: row.event_hash,
        event_id: row.event_id,
        state: row.state,
        signer_key_id: row.signer_key_id,
        log_index: row.log_index,
        published_at: row.published_at,
    });
    Ok(Answer::ok(&MarketChain { market, events: events.collect() })?.page(next))
}
